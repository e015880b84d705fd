/**
 * What a program that calls the service shares with the adapter: how arguments are read, answers narrowed and clients
 * configured. Does not include the endpoint, which would load the whole domain.
 */
export { pick } from './calls/fields.ts'
export { readArguments, type ToolOptions } from './calls/read-arguments.ts'
export { nearest } from './nearest.ts'
export { type ClientName, clientNames, configurationFor, toolsetsHint } from './stdio/configuration.ts'
export { type Argument, planOf } from './tools/arguments.ts'
export { pathsOf } from './tools/field-paths.ts'
