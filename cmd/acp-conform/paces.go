package main

import (
	"github.com/spf13/cobra"

	"acp-conform/reference/rpc"
)

// paces are the flags that make the reference adapter write late.
type paces struct{ client, host string }

func (p *paces) add(c *cobra.Command) {
	c.Flags().StringVar(&p.client, "client-pace", "", "how late the adapter writes to its client: join:3ms waits and then writes what is there in one piece, split:3ms waits before each line")
	c.Flags().StringVar(&p.host, "host-pace", "", "how late the adapter writes to its host, in the same words")
}

// flags are those of the reference adapter.
func (p *paces) flags() (flags []string, err error) {
	for _, pace := range []struct{ name, value string }{{"--client-pace", p.client}, {"--host-pace", p.host}} {
		if pace.value == "" {
			continue
		}
		if _, err := rpc.ParsePace(pace.value); err != nil {
			return nil, usage("%s: %v", pace.name, err)
		}
		flags = append(flags, pace.name+"="+pace.value)
	}
	return flags, nil
}
