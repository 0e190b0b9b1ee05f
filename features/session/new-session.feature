@session
Feature: Sessions that cannot be

  @scenario:bad-workspace
  Scenario Outline: A session in a folder that will not do: <case>
    When the editor asks for a session in the folder "<folder>"
    Then the request was refused with the error -32602
    And no Muse was left behind by the request
    When another session
    Then the connection goes on: a session can be made

    @ACP-NEW-02 @ACP-NEW-12 @ACP-RPC-21
    Examples: No absolute path
      | case     | folder                  |
      | relative | ../workspace            |
      | dotted   | .                       |
      | empty    |                         |
      | home     | ~                       |

    @ACP-NEW-06 @ACP-NEW-12 @MUSE-SESS-08
    Examples: No folder
      | case     | folder                  |
      | missing  | {{workspace}}/nowhere   |
      | file     | {{workspace}}/notes.txt |

  @scenario:unknown-session
  @ACP-PR-11 @ACP-RPC-21 @MUSE-SESS-09
  Scenario: A prompt for a session that does not exist
    When the editor calls "session/prompt" with: {"sessionId":"01990000-0000-7000-8000-0000000000ff","prompt":[{"type":"text","text":"hello"}]}
    Then the request was refused with the error -32602
    When another session
    Then the connection goes on: a session can be made
    And Muse was not started

  @scenario:session-without-servers
  @ACP-NEW-05
  Scenario: The editor says nothing of MCP servers, or not in the right way
    When the editor calls "session/new" with: {"cwd":"{{workspace}}"}
    And the editor calls "session/new" with: {"cwd":"{{workspace}}","mcpServers":null}
    And another session
    Then each request for a session was answered, with a session or with an error
    And the connection goes on: a session can be made
