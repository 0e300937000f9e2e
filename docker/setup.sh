#!/bin/sh
# Makes what the mail server needs, once: a CA, a certificate for both servers, and a random password for each
# of the two accounts. Runs before the servers start; what is there already is kept, and certificates that
# end within 30 days are made anew.
#   /srv/keys     for the servers: ca.pem, server.pem, server.key, users (hashed), opponent_password
#   /run/secrets  for amici:       ca.pem, mail_password
set -eu
umask 077
keys=/srv/keys
secrets=/run/secrets

account() { # ADDRESS FILE
  [ -s "$2" ] || openssl rand -hex 24 > "$2"
  printf '%s:%s\n' "$1" "$(openssl passwd -6 -stdin < "$2")"
}
{
  account player@example.org "$secrets/mail_password"
  account opponent@example.org "$keys/opponent_password"
} > "$keys/users.new"
chmod 0400 "$secrets/mail_password" "$keys/opponent_password"
mv "$keys/users.new" "$keys/users"

if ! openssl x509 -noout -checkend 2592000 -in "$keys/server.pem" >/dev/null 2>&1; then
  new=$(mktemp -d)
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj '/CN=amici mail server CA' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
    -keyout "$new/ca.key" -out "$new/ca.pem" 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=mail.example.org' \
    -keyout "$new/server.key" -out "$new/server.csr" 2>/dev/null
  printf '%s\n' 'subjectAltName=DNS:dovecot,DNS:smtp,DNS:localhost,IP:127.0.0.1' 'basicConstraints=critical,CA:FALSE' \
    'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth' > "$new/extensions"
  openssl x509 -req -in "$new/server.csr" -CA "$new/ca.pem" -CAkey "$new/ca.key" -days 825 \
    -extfile "$new/extensions" -out "$new/server.pem" 2>/dev/null
  # the CA's own key ends here: nobody can sign another certificate with it
  mv "$new/ca.pem" "$new/server.key" "$keys/"
  cp "$keys/ca.pem" "$secrets/ca.pem"
  mv "$new/server.pem" "$keys/"
  rm -r "$new"
fi
echo "certificates end: $(openssl x509 -noout -enddate -in "$keys/server.pem" | cut -d= -f2)"
