import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { issueToken, newTokenId, readToken } from './signed-token.ts'

const secret = randomBytes(32)
const claim = { agentId: '0192d5c0-0000-7000-8000-000000000001', id: newTokenId(), issuedAt: Date.UTC(2026, 0, 1) }

test('a token holds its claim, and is signed by the secret and the key together', () => {
  const read = readToken(issueToken(secret, 'hash', claim))
  expect(read?.claim).toStrictEqual(claim)
  expect(read?.isSigned(secret, 'hash')).toBe(true)
  expect(read?.isSigned(secret, 'other')).toBe(false)
  expect(read?.isSigned(randomBytes(32), 'hash')).toBe(false)
})

test('a changed character makes a token malformed or unsigned', () => {
  const token = issueToken(secret, 'hash', claim)
  // The last character holds four bits of the signature; the two others are not read.
  fc.assert(
    fc.property(fc.nat({ max: token.length - 2 }), at => {
      const other = token[at] === 'A' ? 'B' : 'A'
      const read = readToken(token.slice(0, at) + other + token.slice(at + 1))
      expect(read?.isSigned(secret, 'hash') ?? false).toBe(false)
    }),
  )
})

test('no text is taken for a token', () => {
  for (const text of ['', '.', 'x.y', `${'A'.repeat(80)}.${'A'.repeat(43)}`, 'ä'])
    expect(readToken(text)).toBeUndefined()
  fc.assert(fc.property(fc.string(), text => readToken(text) === undefined))
})
