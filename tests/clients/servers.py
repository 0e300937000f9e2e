"""Private mail servers, and the player with the real program: what the campaign of real mail clients stands on.

Dovecot and Exim run from the templates of `tests/e2e/support`, each pair on an address of its own in 127.0.0.0/8, in a temporary
folder, as `nobody` or, where you are not root, as you. Whatever ends the campaign ends them.
"""

import contextlib
import imaplib
import json
import os
import pwd
import random
import re
import secrets
import shutil
import smtplib
import socket
import ssl
import subprocess
import time
from datetime import datetime, timezone
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

SUPPORT = Path(__file__).resolve().parent.parent / "e2e" / "support"
PORTS = {"IMAP": 20143, "IMAPS": 20993, "LMTP": 20024, "STARTTLS": 20587, "SMTPS": 20465}
# Where the players live: far from Greenwich, where it is another day than there, and not near a midnight.
ZONE = "Etc/GMT+12" if datetime.now(timezone.utc).hour < 11 else "Etc/GMT-14"
PLAYER, TOBIN, HARRIET, BASIL = "player@example.org", "tobin@example.net", "harriet@example.org", "basil@example.com"


def local():
    """The players' own time."""
    return datetime.now(ZoneInfo(ZONE))


class Failed(Exception):
    """Something is not as it must be; the text says what."""


def check(holds, what):
    """Says what was seen, or ends the campaign where it does not hold."""
    if not holds:
        raise Failed(what)
    print(f"  ok  {what}", flush=True)


def wait_for(what, attempt, seconds=60):
    """Tries until there is something; raises `Failed` when the time is over."""
    end = time.monotonic() + seconds
    while not (value := attempt()):
        if time.monotonic() > end:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.1)
    return value


class Servers:
    """Dovecot and Exim, running, with four mailboxes."""

    def __init__(self, folder, stack):
        self.dir = folder / "servers"
        self.address = f"127.{random.randrange(1, 255)}.{random.randrange(256)}.{random.randrange(1, 255)}"
        self.passwords = {user: secrets.token_hex(8) for user in (PLAYER, TOBIN, HARRIET, BASIL)}
        for name in ("run", "state", "mail", "spool", "bin"):
            (self.dir / name).mkdir(parents=True)
        me = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        self.user, self.uid, self.gid = me.pw_name, me.pw_uid, me.pw_gid
        self._certificates()
        self._configuration()
        if os.geteuid() == 0:
            for path in (self.dir, *self.dir.rglob("*")):
                os.chown(path, self.uid, self.gid)
        wrapper = next(Path("/usr/lib").glob("*/libnss_wrapper.so"))
        accounts = {"LD_PRELOAD": wrapper, "NSS_WRAPPER_PASSWD": self.dir / "passwd", "NSS_WRAPPER_GROUP": self.dir / "group"}
        wrapped = ["env", *(f"{name}={value}" for name, value in accounts.items())]
        self._start(stack, ["/usr/sbin/dovecot", "-F", "-c", self.dir / "dovecot.conf"])
        self._start(stack, [*wrapped, self.dir / "bin/exim", "-C", self.dir / "exim.conf", "-bdf", "-q2s"])
        for port in (PORTS["IMAP"], PORTS["STARTTLS"]):
            wait_for(f"a server at {self.address}:{port}", lambda port=port: self._answers(port))

    @property
    def authority(self):
        """The authority that signed the servers' certificate, as PEM."""
        return self.dir / "ca.pem"

    def _certificates(self):
        def openssl(*args):
            subprocess.run(["openssl", *args], cwd=self.dir, check=True, capture_output=True)

        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        openssl("req", "-x509", *key, "-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority of a test",
                "-addext", "keyUsage=critical,keyCertSign")
        openssl("req", *key, "-keyout", "key.pem", "-out", "request.pem", "-subj", "/CN=mail.example.org")
        (self.dir / "names").write_text(f"subjectAltName=IP:{self.address},DNS:mail.example.org\nextendedKeyUsage=serverAuth\n")
        openssl("x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-days", "2", "-extfile", "names",
                "-out", "cert.pem")

    def _configuration(self):
        group = subprocess.run(["id", "-gn", self.user], check=True, capture_output=True, text=True).stdout.strip()
        marks = {"DIR": self.dir, "ADDRESS": self.address, "USER": self.user, "GROUP": group, "UID": self.uid, "GID": self.gid, **PORTS}
        version = subprocess.run(["/usr/sbin/dovecot", "--version"], check=True, capture_output=True, text=True).stdout
        templates = {"dovecot.conf": f"dovecot-{version[:3]}.conf", "exim.conf": "exim.conf"}
        for name, template in templates.items():
            text = (SUPPORT / template).read_text()
            for mark, value in marks.items():
                text = text.replace(f"@{mark}@", str(value))
            (self.dir / name).write_text(text)
        users = self.passwords.items()
        (self.dir / "users").write_text("".join(f"{user}:{{PLAIN}}{password}::::::\n" for user, password in users))
        (self.dir / "smtp-users").write_text("".join(f"{user}: {password}\n" for user, password in users))
        # Exim insists on an account of its own: it is told that this is the user who runs it
        ids = f"x:{self.uid}:{self.gid}"
        (self.dir / "passwd").write_text(f"root:x:0:0::/:/bin/sh\n{self.user}:{ids}::/:/bin/sh\nDebian-exim:{ids}::/:/bin/sh\n")
        (self.dir / "group").write_text(f"root:x:0:\n{group}:x:{self.gid}:\nDebian-exim:x:{self.gid}:\n")
        shutil.copyfile("/usr/sbin/exim4", self.dir / "bin/exim")
        (self.dir / "bin/exim").chmod(0o755)

    def _start(self, stack, command):
        """As the ordinary user."""
        user = [f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups"] if os.geteuid() == 0 else []
        log = stack.enter_context(open(self.dir / "output", "ab"))
        start(stack, command, user, stdout=log, stderr=log)

    def _answers(self, port):
        with contextlib.suppress(OSError), socket.create_connection((self.address, port), 1) as connection:
            return connection.recv(1)

    @contextlib.contextmanager
    def mailbox(self, user):
        """A connection of one of the users."""
        context = ssl.create_default_context(cafile=self.authority)
        imap = imaplib.IMAP4_SSL(self.address, PORTS["IMAPS"], ssl_context=context)
        imap.login(user, self.passwords[user])
        try:
            yield imap
        finally:
            imap.logout()

    def deliver(self, sender, to, raw):
        """Puts a mail into an inbox at once."""
        with smtplib.LMTP(self.address, PORTS["LMTP"]) as lmtp:
            lmtp.sendmail(sender, [to], raw)

    def save(self, user, folder, raw, flags=""):
        """Saves a mail as a mail client does."""
        with self.mailbox(user) as imap:
            imap.append(folder, flags, None, raw)

    def mails(self, user):
        """All mails of a user: (folder, UIDVALIDITY and UID) to (flags, bytes). Changes nothing."""
        found = {}
        with self.mailbox(user) as imap:
            for line in imap.list()[1]:
                folder = re.search(rb'"?([^" ]+)"?$', line)[1].decode()
                imap.select(folder, readonly=True)
                validity = imap.response("UIDVALIDITY")[1][0].decode()
                for part in imap.uid("FETCH", "1:*", "(FLAGS BODY.PEEK[])")[1]:
                    if not isinstance(part, tuple):
                        continue
                    uid = re.search(rb"UID (\d+)", part[0])[1].decode()
                    flags = set(re.search(rb"FLAGS \(([^)]*)\)", part[0])[1].decode().split()) - {"\\Recent"}
                    found[(folder, f"{validity}.{uid}")] = (tuple(sorted(flags)), part[1])
        return found

    def folder(self, user, name):
        """The mails in a folder of a user."""
        return [raw for (folder, _), (_, raw) in sorted(self.mails(user).items()) if folder == name]


def start(stack, command, user=(), **options):
    """A process that ends with the campaign, by the kernel's hand if need be; `user` are options of setpriv."""
    command = ["setpriv", "--pdeathsig", "TERM", *user, "--", *map(str, command)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)

    def end():
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()

    stack.callback(end)
    return process


def untouched(before, after, but=()):
    """What has changed of the mails that were there before: nothing, but for those named."""
    return [place for place, mail in before.items() if after.get(place) != mail and place not in but]


class Amici:
    """The program with the files of one player."""

    def __init__(self, program, servers, folder, user, name):
        self.program, self.folder = program, folder / name
        self.folder.mkdir()
        password = self.folder / "password"
        password.touch(0o600)
        password.write_text(servers.passwords[user])
        account = f'host = "{servers.address}"\nuser = "{user}"\npassword.file = "{password}"\nca_file = "{servers.authority}"\n'
        (self.folder / "config.toml").write_text(
            f'[me]\nname = "{name}"\nemails = ["{user}"]\ntimezone = "{ZONE}"\n'
            f"[imap]\nport = {PORTS['IMAPS']}\n{account}[smtp]\nport = {PORTS['SMTPS']}\n{account}"
            "[drafts]\nappend = true\n[notify]\ndigest = \"off\"\n[limits]\nlogins_per_hour = 1000\n"
        )

    def __call__(self, *args):
        """Runs a command; gives what it prints."""
        files = ["--config", self.folder / "config.toml", "--data", self.folder / "data"]
        done = subprocess.run([self.program, *args, *files], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Failed(f"amici {' '.join(map(str, args))} ends with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def json(self, *args):
        """Runs a command that prints one JSON document."""
        return json.loads(self(*args, "--json"))

    def take_in(self, games):
        """Takes games in."""
        file = self.folder / "games.json"
        file.write_text(json.dumps({"schema": 1, "games": games}))
        self("import", file)


def game(game_id, me, white, black, moves=()):
    """A game document in which nothing is disputed; the players are (name, address)."""
    side = lambda player: {"name": player[0], "emails": [player[1]]}
    return {
        "id": game_id, "event": f"EM/ZZ/{game_id}", "site": "ICCF", "white": side(white), "black": side(black), "me": me,
        "start_date": str(local().date()), "rules": "iccf-email-2000", "notations": ["iccf"],
        "moves": [{"numeric": move} for move in moves],
    }


def letter(sender, message_id, subject, text):
    """A mail of an opponent, sent now."""
    head = f"From: <{sender}>\nTo: <{PLAYER}>\nSubject: {subject}\nDate: {format_datetime(local())}\n"
    return f"{head}Message-ID: <{message_id}>\n\n{text}\n".replace("\n", "\r\n").encode()
