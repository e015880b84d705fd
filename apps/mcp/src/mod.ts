/** The MCP adapter: the contract as tools, resources and prompts, over HTTP and stdio. */
export { compact, moved } from './calls/compact.ts'
export { leanValue } from './calls/lean-value.ts'
export { type EndpointOptions, McpEndpoint, type RequestContext } from './endpoint/endpoint.ts'
export type { CallRecord } from './server/agent-backend.ts'
export { type StdioOptions, serveMcpStdio } from './stdio/serve-stdio.ts'
export { type Budget, budgetedViews, budgetOf, overBudget } from './token-budgets.ts'
export { costOf, type TokenCost, tokensOf } from './token-cost.ts'
export { isToolsets, ViewError, type ViewRequest, viewOf } from './tools/view.ts'
