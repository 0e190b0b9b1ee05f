cat >/dev/null
kill -9 $$
