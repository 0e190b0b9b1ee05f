cat >/dev/null
printf '%s\n' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"files are made here"}}'
echo 'no files, says the hook' >&2
exit 2
