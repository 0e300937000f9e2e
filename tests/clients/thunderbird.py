"""Thunderbird on a virtual screen: a prepared profile, the player's keys, and pictures of what he sees."""

import hashlib
import json
import os
import subprocess
import time

from servers import PLAYER, PORTS, Failed, start, wait_for

WIDTH, HEIGHT = 1280, 900


def profile(folder, servers):
    """A profile with the player's account and the servers' authority: of a first start's questions only the password is left."""
    folder.mkdir()
    (folder / "empty").write_text("\n")
    store = ["certutil", "-d", f"sql:{folder}", "-f", folder / "empty"]
    subprocess.run([*store, "-N"], check=True)
    subprocess.run([*store, "-A", "-n", "authority", "-t", "C,,", "-i", servers.authority], check=True)
    box = f"imap://{PLAYER.replace('@', '%40')}@{servers.address}"
    server, identity, smtp = "mail.server.server1.", "mail.identity.id1.", "mail.smtpserver.smtp1."
    settings = {
        "mail.accountmanager.accounts": "account1,account2", "mail.accountmanager.defaultaccount": "account1",
        "mail.accountmanager.localfoldersserver": "server2",
        "mail.account.account1.server": "server1", "mail.account.account1.identities": "id1",
        "mail.account.account2.server": "server2",
        "mail.server.server2.type": "none", "mail.server.server2.hostname": "Local Folders",
        "mail.server.server2.userName": "nobody", "mail.server.server2.name": "Local Folders",
        server + "type": "imap", server + "hostname": servers.address, server + "port": PORTS["IMAPS"],
        server + "socketType": 3, server + "authMethod": 3, server + "userName": PLAYER, server + "name": PLAYER,
        server + "login_at_startup": True, server + "using_subscription": False, server + "spamLevel": 0,
        identity + "fullName": "Ann Quillfeather", identity + "useremail": PLAYER, identity + "valid": True,
        identity + "smtpServer": "smtp1", identity + "draft_folder": f"{box}/Drafts", identity + "fcc_folder": f"{box}/Sent",
        identity + "fcc": True,
        "mail.smtpservers": "smtp1", "mail.smtp.defaultserver": "smtp1",
        smtp + "hostname": servers.address, smtp + "port": PORTS["SMTPS"], smtp + "try_ssl": 3, smtp + "authMethod": 3,
        smtp + "username": PLAYER, smtp + "type": "smtp",
        # the screen stands still unless something happens
        "ui.caretBlinkTime": 0, "ui.prefersReducedMotion": 1,
        # what a first start asks or shows, and what looks outside
        "app.update.enabled": False, "app.normandy.enabled": False, "datareporting.policy.dataSubmissionEnabled": False,
        "extensions.update.enabled": False, "mail.inappnotifications.enabled": False, "mail.rights.version": 1,
        "mail.provider.suppress_dialog_on_startup": True, "mail.shell.checkDefaultClient": False,
        "mail.spotlight.firstRunDone": True, "mail.warn_on_send_accel_key": False, "mailnews.start_page.enabled": False,
        "mailnews.start_page_override.mstone": "ignore", "network.captive-portal-service.enabled": False,
        "network.connectivity-service.enabled": False, "security.OCSP.enabled": 0, "toolkit.telemetry.enabled": False,
        "toolkit.telemetry.reportingpolicy.firstRun": False,
    }
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in settings.items())
    (folder / "user.js").write_text("".join(lines))


class Thunderbird:
    """Thunderbird with the player's account on a screen of its own; `pictures` is a folder for what it shows."""

    def __init__(self, servers, folder, stack, pictures, zone):
        self.password, self.pictures, self.count = servers.passwords[PLAYER], pictures, 0
        folder.mkdir()
        profile(folder / "profile", servers)
        read, write = os.pipe()
        screen = ["Xvfb", "-displayfd", write, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp"]
        log = stack.enter_context(open(folder / "output", "ab"))
        start(stack, screen, pass_fds=[write], stdout=log, stderr=log)
        os.close(write)
        with os.fdopen(read) as number:
            display = f":{number.readline().strip()}"
        home = folder / "home"
        home.mkdir()
        self.environment = {**os.environ, "DISPLAY": display, "HOME": str(home), "LANG": "C.UTF-8", "TZ": zone}
        # without a window manager no window has the keyboard
        start(stack, ["openbox"], env=self.environment, stdout=log, stderr=log)
        program = ["thunderbird", "--no-remote", "--profile", folder / "profile"]
        start(stack, program, env=self.environment, stdout=log, stderr=log)
        self.log_in("Enter your password")
        self.main = self.window("Inbox - ")
        self.still()

    def xdo(self, *args):
        """xdotool on this screen; gives what it prints."""
        command = ["xdotool", *map(str, args)]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def screen(self):
        """What the screen shows, as PNG."""
        command = ["import", "-window", "root", "-define", "png:exclude-chunks=date,time", "png:-"]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True).stdout

    def still(self):
        """Waits until the screen has not changed for two seconds."""
        seen, since = None, time.monotonic()

        def rests():
            nonlocal seen, since
            now = hashlib.sha256(self.screen()).digest()
            if now != seen:
                seen, since = now, time.monotonic()
            return time.monotonic() - since > 2

        wait_for("the screen of Thunderbird stands still", rests)

    def picture(self, name):
        """Keeps what the screen shows once it stands still."""
        self.still()
        self.count += 1
        file = self.pictures / f"thunderbird-{self.count}-{name}.png"
        file.write_bytes(self.screen())
        print(f"  see {file}", flush=True)

    def windows(self, title):
        """The windows with these words in their titles."""
        return self.xdo("search", "--onlyvisible", "--name", title).split()

    def window(self, title):
        """The window with these words in its title, once it is there; it has the keyboard then."""
        found = wait_for(f"a window of Thunderbird named {title!r}", lambda: self.windows(title), 90)[-1]
        self.xdo("windowactivate", "--sync", found)
        return found

    def keys(self, *keys):
        """Presses keys, by xdotool's names for them."""
        self.xdo("key", "--delay", 100, *keys)

    def write(self, text):
        """Types a text."""
        self.xdo("type", "--delay", 20, text)

    def log_in(self, title):
        """Gives the password to the window that asks for it."""
        self.window(title)
        self.still()
        self.write(self.password)
        self.keys("Return")

    def open_next_folder(self, name):
        """Goes to the next folder in the list of folders, which has this name."""
        for _ in range(8):
            self.keys("Down")
            self.still()
            if self.windows(f"{name} - "):
                return
            # the keyboard was in another pane
            self.keys("F6")
        raise Failed(f"Thunderbird does not open {name}")

    def open_newest_draft(self, subject):
        """Shows the newest draft, and opens the composer from it."""
        self.keys("F6", "Home")
        self.picture("draft")
        self.keys("Return")
        self.window(f"Write: {subject}")
        self.picture("composer")

    def save(self):
        """Saves what stands in the composer as a draft."""
        self.keys("ctrl+s")
        self.picture("saved")

    def send(self):
        """Sends what stands in the composer."""
        self.keys("ctrl+Return")
        self.log_in("Password Required")
        wait_for("the composer closes", lambda: not self.windows("Write: "))
        self.xdo("windowactivate", "--sync", self.main)

    def show_conversation(self):
        """Shows the newest sent mail with all that belongs to it."""
        self.open_next_folder("Sent")
        self.keys("F6", "Home")
        self.still()
        self.keys("ctrl+shift+o")
        self.picture("conversation")
