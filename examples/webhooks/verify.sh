#!/bin/sh
# Verifies X-Service-Signature with openssl: verify.sh key.pem body.bin '{"v":"1","s":"…"}'. Prints true or false.
# While a key rotation is open, "n" holds the signature by the next key.
set -eu
key=$1 body=$2 header=$3
signature=$(mktemp)
trap 'rm -f "$signature"' EXIT
for name in s n; do
  printf '%s' "$header" | sed -n "s/.*\"$name\":\"\\([^\"]*\\)\".*/\\1/p" | openssl base64 -d -A > "$signature"
  if [ -s "$signature" ] && openssl dgst -sha256 -verify "$key" -signature "$signature" "$body" > /dev/null 2>&1; then
    echo true
    exit
  fi
done
echo false
