/** The tool that validates and packs MCPB bundles; fetched when needed, because it is 30 MB with what it brings. */
export const mcpb = '@anthropic-ai/mcpb@2.1.2'
