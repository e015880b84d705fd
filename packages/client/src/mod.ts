/** A typed HTTP client of the service, derived from the contract. */
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
