cat >/dev/null
printf '%s\n' '{"decision":"block","reason":"no files, says the hook"}'
