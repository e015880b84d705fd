/** The documents from which clients learn how they are authorized (people 3.3). */

/** The view parameters of an address, which clients compare exactly. */
export const resourceOf = (publicUrl: string, slash: string, query: string): string =>
  `${publicUrl}/mcp${slash}${query}`

/** The metadata of the protected resource (RFC 9728). */
export const protectedResource = (publicUrl: string, resource: string) => ({
  resource,
  authorization_servers: [publicUrl],
  scopes_supported: ['read', 'write'],
  bearer_methods_supported: ['header'],
  resource_name: 'Specboard',
  resource_documentation: `${publicUrl}/docs/guide`,
})

/** Algorithms with which a client may sign its authentication. */
export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const

/**
 * The metadata of the authorization server (RFC 8414). Written here, because the library would offer `openid`, whose ID
 * token some clients then request.
 */
export const authorizationServer = (publicUrl: string, registers: boolean) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/authorize`,
  token_endpoint: `${publicUrl}/token`,
  ...(registers && { registration_endpoint: `${publicUrl}/register` }),
  revocation_endpoint: `${publicUrl}/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
  token_endpoint_auth_signing_alg_values_supported: signingAlgorithms,
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic', 'private_key_jwt'],
  scopes_supported: ['read', 'write', 'offline_access'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})
