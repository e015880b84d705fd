/** Canonical names with their aliases (knowledge-graph 3.7). */
const list: readonly (readonly [name: string, ...aliases: string[]])[] = [
  ['PostgreSQL', 'postgres', 'pg'],
  ['SQLite', 'sqlite3'],
  ['MySQL'],
  ['MariaDB'],
  ['MongoDB', 'mongo'],
  ['Redis'],
  ['Elasticsearch'],
  ['OpenSearch'],
  ['Kafka', 'apache kafka'],
  ['RabbitMQ'],
  ['NATS'],
  ['DynamoDB'],
  ['GraphQL'],
  ['REST', 'rest api', 'restful'],
  ['gRPC'],
  ['WebSocket', 'websockets', 'ws'],
  ['Server-Sent Events', 'sse', 'server sent events'],
  ['JSON'],
  ['JSONB'],
  ['Protobuf', 'protocol buffers'],
  ['OAuth2', 'oauth', 'oauth 2.0'],
  ['OpenID Connect', 'oidc'],
  ['JWT'],
  ['SAML'],
  ['Docker'],
  ['Kubernetes', 'k8s'],
  ['Terraform'],
  ['Node.js', 'nodejs'],
  ['Deno'],
  ['TypeScript'],
  ['JavaScript'],
  ['Python'],
  ['Golang'],
  ['Rust'],
  ['React'],
  ['Hono'],
  ['Kysely'],
  ['Zod'],
  ['OpenAPI'],
  ['MCP', 'model context protocol'],
  ['HNSW'],
  ['FTS5'],
  ['Cypher'],
  ['Prometheus'],
  ['OpenTelemetry', 'otel'],
  ['Nginx'],
]

const canonical = new Map(
  list.flatMap(([name, ...aliases]) => [name, ...aliases].map(word => [word.toLowerCase(), name])),
)

const escaped = (word: string) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Longer names come first: of two that start at the same position, the longer one counts. */
const pattern = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[...canonical.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|')})(?![\\p{L}\\p{N}_])`,
  'giu',
)

/** The technologies mentioned in texts, by canonical name, each once, in order of first mention. */
export const technologiesIn = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap(text => [...text.matchAll(pattern)].map(([word]) => canonical.get(word.toLowerCase())!))),
]

/** The slug in a technology's reference, `tech:<slug>`. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
