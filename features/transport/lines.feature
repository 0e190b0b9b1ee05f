@transport
Feature: Lines that are no good requests

  Whatever line the editor sends, the adapter answers it as JSON-RPC 2.0 asks, and goes on.

  @scenario:bad-lines
  Scenario Outline: A line that must be refused: <case>
    When the editor sends the line: <line>
    Then the editor got the error -<code> for the id <id>
    When another session
    Then a session can be made

    @ACP-RPC-10
    Examples: What cannot be parsed
      | case        | line                                                   | code  | id   |
      | not-json    | {bad                                                   | 32700 | null |
      | cut-short   | {"jsonrpc":"2.0","id":7,"method":                      | 32700 | null |
      | not-utf8    | {"jsonrpc":"2.0","id":7,"method":"x\\xff"}             | 32700 | null |

    @ACP-RPC-11
    Examples: What is JSON and no request
      | case        | line                                                   | code  | id          |
      | number      | 42                                                     | 32600 | null        |
      | string      | "hello"                                                | 32600 | null        |
      | null        | null                                                   | 32600 | null        |
      | empty       | {}                                                     | 32600 | null        |
      | no-method   | {"jsonrpc":"2.0","id":7}                               | 32600 | 7 or null   |
      | bad-method  | {"jsonrpc":"2.0","id":7,"method":3}                    | 32600 | 7 or null   |
      | no-version  | {"id":7,"method":"session/new"}                        | 32600 | 7 or null   |
      | version-1   | {"jsonrpc":"1.0","id":7,"method":"session/new"}        | 32600 | 7 or null   |
      | object-id   | {"jsonrpc":"2.0","id":{},"method":"session/new"}       | 32600 | null        |

    @ACP-RPC-12
    Examples: Batches
      | case        | line                                                   | code  | id   |
      | empty-batch | []                                                     | 32600 | null |

  @scenario:id-null
  @ACP-RPC-13
  Scenario: A request whose id is null is answered
    When the editor sends the line: {"jsonrpc":"2.0","id":null,"method":"nope/nope"}
    Then the editor got the error -32601 or -32600 for the id null
    When another session
    Then a session can be made

  @scenario:batch
  @ACP-RPC-12
  Scenario: A batch is refused once, or answered as a batch
    When the editor sends the line: [{"jsonrpc":"2.0","id":71,"method":"nope/one"},{"jsonrpc":"2.0","id":72,"method":"nope/two"}]
    Then the batch was refused once, or answered with two errors
    When another session
    Then a session can be made

  @scenario:harmless-lines
  Scenario Outline: A line that does no harm: <case>
    When the editor sends the line: <line>
    And another session
    Then the editor got no answer to the line
    And a session can be made

    @ACP-TRN-10
    Examples: Blank lines
      | case   | line |
      | empty  |      |
      | spaces | \\x20\\x20 |

    @ACP-RPC-06 @ACP-EXT-06
    Examples: Notifications that nobody knows
      | case                  | line                                                                          |
      | unknown-notification  | {"jsonrpc":"2.0","method":"nope/nope"}                                        |
      | private-notification  | {"jsonrpc":"2.0","method":"_nope/nope","params":{}}                           |

    @ACP-RPC-06 @ACP-XC-01
    Examples: The end of a request that there is not
      | case                  | line                                                                          |
      | cancel-request        | {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":999999}}   |

    @ACP-RPC-06 @ACP-RPC-20
    Examples: A request as a notification
      | case                  | line                                                                          |
      | request-without-id    | {"jsonrpc":"2.0","method":"session/new","params":{"cwd":"/","mcpServers":[]}} |

    @ACP-RPC-06
    Examples: Notifications
      | case                  | line                                                                          |
      | cancel-of-nothing     | {"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nosuch"}}   |
      | cancel-without-params | {"jsonrpc":"2.0","method":"session/cancel"}                                   |

  @scenario:request-ids
  Scenario Outline: A response repeats the id of its request: <case>
    When the editor sends the line: <line>
    Then the editor got the error -32601 for the id <id>

    @ACP-RPC-02 @ACP-RPC-08
    Examples:
      | case     | line                                                            | id               |
      | zero     | {"jsonrpc":"2.0","id":0,"method":"nope/nope"}                   | 0                |
      | large    | {"jsonrpc":"2.0","id":9007199254740993,"method":"nope/nope"}    | 9007199254740993 |
      | negative | {"jsonrpc":"2.0","id":-5,"method":"nope/nope"}                  | -5               |
      | text     | {"jsonrpc":"2.0","id":"ключ 1","method":"nope/nope"}            | "ключ 1"         |
      | digits   | {"jsonrpc":"2.0","id":"7","method":"nope/nope"}                 | "7"              |
      | empty    | {"jsonrpc":"2.0","id":"","method":"nope/nope"}                  | ""               |

  @scenario:carriage-return
  @ACP-TRN-09
  Scenario: A line that ends with CR and LF is read as usual
    When the editor sends the line: {"jsonrpc":"2.0","id":9,"method":"nope/nope"}\x0d
    Then the editor got the error -32601 for the id 9
    When another session
    Then a session can be made
