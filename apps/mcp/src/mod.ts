/** The MCP adapter: the contract as tools, resources and prompts, over HTTP and stdio. */
export { compact } from './calls/compact.ts'
export { leanValue } from './calls/lean-value.ts'
export { type EndpointOptions, McpEndpoint, type RequestContext } from './endpoint/endpoint.ts'
export type { CallRecord } from './server/agent-backend.ts'
export { type ClientName, clientNames, configurationFor } from './stdio/configuration.ts'
export { type StdioOptions, serveMcpStdio } from './stdio/serve-stdio.ts'
export { type Budget, budgets, costOf, overBudget, type TokenCost } from './token-cost.ts'
export { isToolsets, type ViewRequest } from './tools/view.ts'
