/** A typed HTTP client for the service, derived from the contract. */
export {
  type Arguments,
  type CallOptions,
  type Client,
  ClientError,
  type ClientOptions,
  clientOf,
  type Listed,
  methodName,
  type Result,
  type Route,
} from './calls.ts'
export { createClient, requestOf, routeNamed, routeOf, routes } from './client.ts'
