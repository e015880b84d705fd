import { describe, expect, test } from 'vitest'
import { coAuthorsOf, mentionsOfBranch, mentionsOfCommit } from './recognition.ts'

const everywhere = new Set(['trailer', 'branch', 'message', 'pull_request'])
const commit = (message: string, places: ReadonlySet<string> = everywhere) =>
  mentionsOfCommit(message, places).map(({ key, number, how }) => `${how} ${key}-${number}`)

describe('what a commit names (git 4)', () => {
  test('by a trailer in its last block', () => {
    expect(commit('Fix it\n\nSpecboard: SPE-14, SPE-15 SPE-16\nspecboard: SPE-17')).toEqual([
      'trailer SPE-14',
      'trailer SPE-15',
      'trailer SPE-16',
      'trailer SPE-17',
    ])
    expect(commit('Fix it\n\nSpecboard: SPE-14\n\nand more words', new Set(['trailer']))).toEqual([])
    expect(commit('Specboard: SPE-14', new Set(['trailer']))).toEqual([])
  })

  test.each([
    ['SPE-14: fix', ['message SPE-14']],
    ['fix (SPE-14), SPE-15.', ['message SPE-14', 'message SPE-15']],
    ['fix SPE-14-b', ['message SPE-14']],
    ['fix spe-14', []],
    ['fix xSPE-14 _SPE-14 -SPE-14 a/SPE-14 .SPE-14 #SPE-14 @SPE-14', []],
    ['fix SPE-14a SPE-14_ SPE-14-2 SPE-14.2 SPE-0', []],
    ['see `SPE-14` and https://example.com/x?SPE-14', []],
    ['see [SPE](https://example.com/?q=SPE-14) and a,https://example.com/x=SPE-15', []],
    ['see https://board.example/b/SPE/cards/SPE-14.', ['message SPE-14']],
    [
      'see <https://board.example/b/SPE/r/SPE-14?tab=1#x> (https://board.example/b/SPE/specs/SPE-3)',
      ['message SPE-14', 'message SPE-3'],
    ],
    ['see https://board.example/b/OTH/cards/SPE-14 https://board.example/b/SPE/x/SPE-14', []],
    ['a\n\n```\nSPE-14\n```\n    SPE-15\n> SPE-16\n<!-- SPE-17 -->', []],
  ])('%j by its words', (message, expected) => expect(commit(message)).toEqual(expected))
})

test('only pages of this service name records, where its address is known (git 4, rule 1)', () => {
  const named = (origin: string) =>
    mentionsOfCommit('https://board.example/b/SPE/cards/SPE-14', everywhere, origin).map(({ number }) => number)
  expect([named('https://board.example'), named('https://other.example'), named('https://board.exam')]).toEqual([
    [14],
    [],
    [],
  ])
})

test('what the name of a branch names', () => {
  const names = (name: string) => mentionsOfBranch(name).map(({ key, number }) => `${key}-${number}`)
  expect(names('spe-14')).toEqual(['SPE-14'])
  expect(names('feature/SPE-14-fix_ab-3.x')).toEqual(['SPE-14', 'AB-3'])
  expect(names('xspe-14b')).toEqual([])
  expect(names('spe_14')).toEqual([])
})

test('who else wrote a commit', () => {
  expect(coAuthorsOf('Fix\n\nCo-authored-by: Ada L <Ada@Example.com>\nCo-Authored-By: nobody')).toEqual([
    { name: 'Ada L', email: 'ada@example.com' },
  ])
})
