"""NeoMutt in a terminal of tmux: the player's hands on a postponed mail."""

import os
import subprocess

from servers import PLAYER, PORTS, start, wait_for


class NeoMutt:
    """NeoMutt at the player's account. `edit` is the sed script that stands for his typing; `seen` is told each screen."""

    def __init__(self, servers, folder, stack, edit, seen, zone):
        self.socket, self.seen = folder / "tmux", seen
        folder.mkdir()
        account = f"{servers.address}:{PORTS['IMAPS']}"
        editor = folder / "editor"
        editor.write_text(f"#!/bin/sh\nexec sed -i '{edit}' \"$1\"\n")
        editor.chmod(0o755)
        (folder / "neomuttrc").write_text(
            f"""
set imap_user = "{PLAYER}" imap_pass = "{servers.passwords[PLAYER]}"
set folder = "imaps://{account}/" spoolfile = "+INBOX" postponed = "+Drafts" record = "+Sent"
set smtp_url = "smtps://{PLAYER.replace('@', '%40')}@{servers.address}:{PORTS['SMTPS']}/" smtp_pass = "{servers.passwords[PLAYER]}"
set from = "{PLAYER}" realname = "Ann Quillfeather" editor = "{editor}"
set ssl_ca_certificates_file = "{servers.authority}"
"""
        )
        environment = {**os.environ, "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "xterm-256color", "TZ": zone}
        environment.pop("TMUX", None)
        server = ["tmux", "-f", "/dev/null", "-S", self.socket, "-D"]
        start(stack, server, env=environment, cwd=folder)
        wait_for("tmux", self.socket.exists)
        self._tmux("new-session", "-d", "-x", "100", "-y", "40", f"neomutt -n -F {folder / 'neomuttrc'}")

    def _tmux(self, *args, check=True):
        command = ["tmux", "-S", str(self.socket), *args]
        return subprocess.run(command, check=check, capture_output=True, text=True).stdout

    def await_screen(self, *words):
        """Waits for a screen with all the words, and keeps it."""
        last = ""

        def shown():
            nonlocal last
            last = self._tmux("capture-pane", "-p")
            return all(word in last for word in words)

        try:
            wait_for(f"NeoMutt shows {words}", shown, 20)
        finally:
            self.seen(last)
        return last

    def keys(self, *keys):
        """Presses keys, by tmux's names for them."""
        self._tmux("send-keys", *keys)

    def recall(self, subject):
        """Recalls the postponed mail with this subject; the editor does its work; gives the composer."""
        self.await_screen("+INBOX", "r:Reply")
        self.keys("R")
        self.await_screen("Postponed Messages", subject)
        self.keys("/", f"~s {subject}", "Enter", "Enter")
        return self.await_screen("Compose", subject)

    def postpone(self):
        """Puts the mail back among the postponed ones."""
        self.keys("q")
        self.await_screen("Save (postpone) draft message?")
        self.keys("y")
        self.await_screen("+INBOX", "r:Reply")

    def send(self):
        """Sends the mail and ends."""
        self.keys("y")
        self.await_screen("Mail sent")
        self.keys("q")
        # nothing of what it still does to the mailbox is to be taken for amici's doing
        wait_for("NeoMutt ends", lambda: not self._tmux("list-sessions", check=False))
