import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSecondHalf, issueToken, newTokenId, readToken, secondHalf } from './signed-token.ts'

const secret = randomBytes(32)
const binding = { keyHash: 'hash', sessionGeneration: 0 }
const claim = {
  agentId: '0192d5c0-0000-7000-8000-000000000001',
  id: newTokenId(),
  issuedAt: Date.UTC(2026, 0, 1),
  present: true,
}

test('a token holds its claim, and is signed by the secret, the key and the generation together', () => {
  const read = readToken(issueToken(secret, binding, claim))
  expect(read?.claim).toStrictEqual(claim)
  expect(read?.isSigned(secret, binding)).toBe(true)
  expect(read?.isSigned(secret, { ...binding, keyHash: 'other' })).toBe(false)
  expect(read?.isSigned(secret, { ...binding, sessionGeneration: 1 })).toBe(false)
  expect(read?.isSigned(randomBytes(32), binding)).toBe(false)
})

test('a changed character makes a token malformed or unsigned', () => {
  const token = issueToken(secret, binding, claim)
  // The last character holds four bits of the signature; the two others are not read.
  fc.assert(
    fc.property(fc.nat({ max: token.length - 2 }), at => {
      const other = token[at] === 'A' ? 'B' : 'A'
      const read = readToken(token.slice(0, at) + other + token.slice(at + 1))
      expect(read?.isSigned(secret, binding) ?? false).toBe(false)
    }),
  )
})

test('the second half of a session is 43 characters that follow from its id and the secret alone', () => {
  const half = secondHalf(secret, claim)
  expect(half).toMatch(/^[\w-]{43}$/)
  expect(isSecondHalf(secret, claim, half)).toBe(true)
  for (const [by, of, candidate] of [
    [secret, claim, ''],
    [secret, claim, `${half}x`],
    [secret, claim, 'ä'.repeat(43)],
    [secret, { ...claim, id: newTokenId() }, half],
    [randomBytes(32), claim, half],
  ] as const)
    expect(isSecondHalf(by, of, candidate)).toBe(false)
})

test('no text is taken for a token', () => {
  for (const text of ['', '.', 'x.y', `${'A'.repeat(80)}.${'A'.repeat(43)}`, 'ä'])
    expect(readToken(text)).toBeUndefined()
  fc.assert(fc.property(fc.string(), text => readToken(text) === undefined))
})
