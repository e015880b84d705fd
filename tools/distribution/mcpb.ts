/** The tool that validates and packs MCPB bundles; fetched when needed, because it is 30 MB with its dependencies. */
export const mcpb = '@anthropic-ai/mcpb@2.1.2'
