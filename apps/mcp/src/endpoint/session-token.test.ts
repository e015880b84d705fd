import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashOfToken, issueToken, readToken, sessionLifeMs } from './session-token.ts'

const secret = randomBytes(32)
const now = Date.UTC(2026, 0, 1)
const agentId = '0192d5c0-0000-7000-8000-000000000001'

test('a token holds its agent and time in at most 160 characters of visible ASCII', () => {
  fc.assert(
    fc.property(fc.uuid({ version: 7 }), fc.integer({ min: now - sessionLifeMs, max: now }), (agent, issuedAt) => {
      const token = issueToken(secret, { agentId: agent, issuedAt })
      expect(token).toMatch(/^[\x21-\x7e]{1,160}$/)
      expect(readToken(secret, token, now)).toEqual({ agentId: agent, issuedAt })
    }),
  )
})

test('no two tokens are equal', () => {
  const claim = { agentId, issuedAt: now }
  expect(issueToken(secret, claim)).not.toBe(issueToken(secret, claim))
})

test('a changed character, another secret or age makes a token invalid', () => {
  const token = issueToken(secret, { agentId, issuedAt: now })
  fc.assert(
    fc.property(fc.nat({ max: token.length - 1 }), at => {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(readToken(secret, token.slice(0, at) + other + token.slice(at + 1), now)).toBeUndefined()
    }),
  )
  expect(readToken(randomBytes(32), token, now)).toBeUndefined()
  expect(readToken(secret, token, now + sessionLifeMs + 1)).toBeUndefined()
  for (const text of ['', 'x', 'nothing of ours at all', 'A'.repeat(120)])
    expect(readToken(secret, text, now)).toBeUndefined()
})

test('the stored hash does not reveal the token', () => {
  const token = issueToken(secret, { agentId, issuedAt: now })
  expect(hashOfToken(token)).toMatch(/^[0-9a-f]{64}$/)
})
