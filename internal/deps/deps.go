// Package deps only holds the modules until their users exist.
package deps

import (
	_ "github.com/coder/acp-go-sdk"
	_ "github.com/cucumber/godog"
	_ "github.com/cucumber/tag-expressions/go/v6"
	_ "github.com/goccy/go-yaml"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/uuid"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/sebdah/goldie/v2"
	_ "github.com/spf13/cobra"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sys/unix"
	_ "github.com/cucumber/messages/go/v34"
)
