#!/bin/sh
# One game's first step, from outside as the opponent and the player see it: the opponent sends 1. e4 to the SMTP
# service, the notice appears in the player's mailbox, the player answers e5, the finished draft appears there too.
# Needs curl, and the services of docker-compose.yml running. To try again: docker compose down -v
set -eu
cd "$(dirname "$0")/.."
run() { docker compose exec -T "$@"; }

await() { # SECONDS WHAT COMMAND..: until the command prints something
  seconds=$1 what=$2; shift 2
  while [ -z "$("$@")" ]; do
    seconds=$((seconds - 1))
    [ "$seconds" -gt 0 ] || { echo "no $what; see: docker compose logs" >&2; exit 1; }
    sleep 1
  done
  echo "there: $what"
}
mails() { run dovecot doveadm search -u player@example.org "$@"; }
show() { # decoded, without the way it came and without its attachment
  run dovecot doveadm fetch -u player@example.org text.utf8 "$@" |
    sed -e '1,/^From: /{/^From: /!d;}' -e '/^Content-Disposition: attachment/,$d'
}
healthy() { run amici amici health >/dev/null && echo yes; }

await 60 "a healthy amici" healthy
run amici amici import /dev/stdin < docker/game.json

ca=$(mktemp)
trap 'rm -f "$ca"' EXIT
run smtp cat /srv/keys/ca.pem > "$ca"
password=$(run smtp cat /srv/keys/opponent_password)
printf 'user = "opponent@example.org:%s"\n' "$password" |
  curl --silent --show-error --config - --cacert "$ca" --url smtps://localhost:10465 \
    --mail-from opponent@example.org --mail-rcpt player@example.org --upload-file docker/move.eml
echo "sent: 1. e4 to the SMTP service"

await 90 "the notice" mails mailbox INBOX subject "your move"
show mailbox INBOX subject "your move"

run amici amici play TRY-1 e5
await 90 "the finished draft" mails mailbox INBOX subject "ready to send"
show mailbox INBOX subject "ready to send"
run amici amici status
