@approval
Feature: Whatever is asked about

  Commands are not all that Muse asks about. Whatever the tool is, whatever its arguments are, and whoever has passed the
  question on, it is the user who answers.

  @scenario:approval-of-a-tool
  @MUSE-PERM-33 @MUSE-PERM-01 @MUSE-PERM-08 @REQ-ACP-03 @REQ-ACP-08 @ACP-PERM-01 @ACP-NEW-04
  Scenario Outline: Muse asks about a tool that runs no command: <case>
    Given Muse asks before it uses "<tool>" with: <input>
    And Muse says "On we go."
    And the editor will answer "<answer>"
    When the user sends "use the tool"
    Then the editor was asked once, about "<about>", with "<options>"
    And Muse was told "<answer>"
    And the file "notes.txt" holds "<after>" once
    And the tool call of "<about>" ended as "<end>"
    And the place of the tool call, where it was shown, was "notes.txt" in the session's folder
    And the turn ended with "end_turn"

    Examples:
      | case             | tool            | input                                                       | about     | answer     | after | end       | options                                                                                           |
      | write-allowed    | write_file      | {"path":"notes.txt","content":"new\\n"}                     | notes.txt | Allow once | new   | completed | Allow once \| Allow for this session \| Reject                                                    |
      | write-rejected   | write_file      | {"path":"notes.txt","content":"new\\n"}                     | notes.txt | Reject     | old   | failed    | Allow once \| Allow for this session \| Reject                                                    |
      | edit-allowed     | edit_file       | {"path":"notes.txt","find":"old","replace":"new"}           | notes.txt | Allow once | new   | completed | Allow once \| Allow for this session \| Reject                                                    |
      | edit-rejected    | edit_file       | {"path":"notes.txt","find":"old","replace":"new"}           | notes.txt | Reject     | old   | failed    | Allow once \| Allow for this session \| Reject                                                    |
      | read-allowed     | read_file       | {"path":"notes.txt"}                                        | notes.txt | Allow once | old   | completed | Allow once \| Allow for this session \| Reject                                                    |
      | read-rejected    | read_file       | {"path":"notes.txt"}                                        | notes.txt | Reject     | old   | failed    | Allow once \| Allow for this session \| Reject                                                    |
      | unknown-allowed  | mcp__attic.tidy | {"steps":[{"deep":["for keeps",null]}],"count":1e3,"":true} | for keeps | Allow once | old   | completed | Allow once \| Allow for this session \| Always allow in this workspace: mcp__attic.tidy \| Reject |
      | unknown-rejected | mcp__attic.tidy | {"steps":[{"deep":["for keeps",null]}],"count":1e3,"":true} | for keeps | Reject     | old   | failed    | Allow once \| Allow for this session \| Always allow in this workspace: mcp__attic.tidy \| Reject |

  @scenario:approval-passed-on
  @MUSE-PERM-33 @MUSE-PERM-01 @MUSE-PERM-08 @REQ-ACP-03 @REQ-ACP-08 @ACP-PERM-01
  Scenario Outline: Muse marks the question: <case>
    Given Muse asks before it uses "write_file" with: {"path":"notes.txt","content":"new\n"}
    And <mark>
    And Muse says "On we go."
    And the editor will answer "<answer>"
    When the user sends "use the tool"
    Then the editor was asked once, about "notes.txt", with "Allow once | Allow for this session | Reject"
    And Muse was told "<answer>"
    And the file "notes.txt" holds "<after>" once
    And the tool call of "notes.txt" ended as "<end>"
    And the turn ended with "end_turn"

    Examples:
      | case               | mark                                   | answer     | after | end       |
      | judge-allowed      | a judge has passed that on to the user | Allow once | new   | completed |
      | judge-rejected     | a judge has passed that on to the user | Reject     | old   | failed    |
      | protected-allowed  | that is a write to a protected place   | Allow once | new   | completed |
      | protected-rejected | that is a write to a protected place   | Reject     | old   | failed    |
