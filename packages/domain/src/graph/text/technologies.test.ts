import { expect, test } from 'vitest'
import { slugOf, technologiesIn } from './technologies.ts'

test.each([
  ['Store it in postgres, or PG', ['PostgreSQL']],
  ['Apache Kafka beats RabbitMQ', ['Kafka', 'RabbitMQ']],
  ['a REST API over ws', ['REST', 'WebSocket']],
  ['JSONB, not JSON', ['JSONB', 'JSON']],
  ['OAuth 2.0 and oidc', ['OAuth2', 'OpenID Connect']],
  ['Server sent events with node.js', ['Server-Sent Events', 'Node.js']],
  ['restless reactors rusting', []],
])('finds whole words in any letter case: %s', (text, expected) => expect(technologiesIn(text)).toEqual(expected))

test('lists each technology once over all texts, in order', () =>
  expect(technologiesIn('Redis', 'Kysely and redis')).toEqual(['Redis', 'Kysely']))

test.each([
  ['Server-Sent Events', 'server_sent_events'],
  ['Node.js', 'node_js'],
  ['gRPC', 'grpc'],
])('slugs %s', (name, slug) => expect(slugOf(name)).toBe(slug))
