cat >/dev/null
echo 'deny, please'
