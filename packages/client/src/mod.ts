/** A typed HTTP client for the service, derived from the contract. */
export {
  type Arguments,
  type CallOptions,
  type Client,
  ClientError,
  type ClientOptions,
  createClient,
  type Listed,
  type Result,
  requestOf,
} from './client.ts'
