cat >/dev/null
printf '%s\n' '{"hookSpecificOutput":{"permissionDecision":"deny"}}'
