import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnreadableEvent } from '../reported.ts'
import { isAbout, isTooDeep, readEvent, repositoryOf } from './read.ts'

interface Kind {
  readonly name: string
  readonly examples: readonly object[]
}

const file = createRequire(import.meta.url).resolve('@octokit/webhooks-examples/api.github.com/index.json')
const kinds = JSON.parse(readFileSync(file, 'utf8')) as readonly Kind[]

/** Kinds of GitHub events that have an effect; for `create` and `delete` there are only examples with tags. */
const ofInterest = new Set([
  'check_run',
  'check_suite',
  'merge_group',
  'ping',
  'pull_request',
  'pull_request_review',
  'push',
  'status',
  'workflow_run',
])

const sha = (digit: string) => digit.repeat(40)

describe('events of GitHub (git 2)', () => {
  test.each(kinds)('$name: every example is read', ({ name, examples }) => {
    const eventKinds = examples.map(example => readEvent('github', name, example).kind)
    if (!ofInterest.has(name)) expect(new Set(eventKinds)).toEqual(new Set(['ignored']))
    else expect(eventKinds.some(each => each !== 'ignored')).toBe(true)
  })

  test('every example of a repository names it', () => {
    const pushes = kinds.find(({ name }) => name === 'push')!.examples
    for (const example of pushes)
      expect(repositoryOf('github', example)).toMatchObject({ id: expect.any(String), name: expect.any(String) })
  })

  test.each(['toString', 'constructor', '__proto__'])(
    'a word or an object of the name %s is no word of a forge',
    name => {
      for (const value of [name, { [name]: '' }]) {
        const payload = { action: 'submitted', object_kind: value, review: { state: value } }
        for (const forge of ['github', 'gitlab', 'gitea'] as const)
          for (const event of ['pull_request', 'status', 'check_run'])
            try {
              readEvent(forge, event, { ...payload, action: value, state: value })
            } catch (error) {
              expect(error).toBeInstanceOf(UnreadableEvent)
            }
      }
    },
  )

  test('whatever is changed in an event, it is read, ignored or refused', () => {
    const events = kinds.flatMap(({ name, examples }) =>
      ofInterest.has(name) ? examples.map(example => ({ name, example })) : [],
    )
    fc.assert(
      fc.property(fc.constantFrom(...events), fc.nat(400), fc.jsonValue(), ({ name, example }, place, value) => {
        for (const forge of ['github', 'gitlab', 'gitea'] as const) {
          try {
            readEvent(forge, name, changed(example, place, value))
          } catch (error) {
            expect(error).toBeInstanceOf(UnreadableEvent)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** A copy with another value at one of its places. */
function changed(example: object, place: number, value: unknown): unknown {
  let count = 0
  return JSON.parse(JSON.stringify(example), (_, present) => (count++ === place ? value : present))
}

const project = { id: 815, path_with_namespace: 'acme/shop', default_branch: 'main' }
const attributes = {
  iid: 12,
  title: 'Draft: Keep the cart',
  description: 'What changed.',
  state: 'opened',
  source_branch: 'cart',
  target_branch: 'main',
  source_project_id: 815,
  target_project_id: 815,
  last_commit: { id: sha('b') },
  created_at: '2026-11-20 08:20:00 UTC',
  updated_at: '2026-11-20 10:00:00 UTC',
}
const merge = (more: object) => ({
  object_kind: 'merge_request',
  project,
  user: { username: 'ada' },
  object_attributes: { ...attributes, ...more },
})

describe('events of GitLab (git 2)', () => {
  const read = (payload: object) => readEvent('gitlab', 'Some Hook', payload)

  test('a merge request is a draft by its title; times have a blank', () => {
    expect(read(merge({ action: 'open' }))).toMatchObject({
      kind: 'pull_request',
      request: {
        number: 12,
        isDraft: true,
        state: 'open',
        head: sha('b'),
        mergeCommit: null,
        login: 'ada',
        isExternal: false,
        createdAt: '2026-11-20T08:20:00.000Z',
      },
    })
  })

  test.each([
    ['its merge commit', { merge_commit_sha: sha('c'), squash_commit_sha: sha('d') }, sha('c')],
    ['that of the squash', { merge_commit_sha: null, squash_commit_sha: sha('d') }, sha('d')],
    ['the last commit', {}, sha('b')],
  ])('a merged one has %s', (_, more, commit) => {
    expect(read(merge({ action: 'merge', state: 'merged', ...more }))).toMatchObject({
      request: { state: 'merged', mergeCommit: commit, mergedBy: 'ada', mergedAt: '2026-11-20T10:00:00.000Z' },
    })
  })

  test('approvals are reviews; other actions are left out', () => {
    expect(read(merge({ action: 'approved' }))).toMatchObject({ review: { login: 'ada', decision: 'approved' } })
    expect(read(merge({ action: 'unapproved' }))).toMatchObject({ review: { decision: 'none' } })
    expect(read(merge({ action: 'label' }))).toMatchObject({ kind: 'ignored' })
    expect(read(merge({ action: 'open', source_project_id: 9 }))).toMatchObject({ request: { isExternal: true } })
  })

  test('a pipeline is one check', () => {
    const of = (status: string, finished_at: string | null) =>
      read({
        object_kind: 'pipeline',
        project,
        object_attributes: { id: 1, sha: sha('b'), status, created_at: '2026-11-20 08:21:00 UTC', finished_at },
      })
    expect(of('failed', '2026-11-20 08:24:10 UTC')).toMatchObject({
      check: { name: 'pipeline', state: 'failure', at: '2026-11-20T08:24:10.000Z' },
    })
    expect(of('running', null)).toMatchObject({ check: { state: 'pending', at: '2026-11-20T08:21:00.000Z' } })
  })

  test('pushes of tags are left out, and branches without a head are gone', () => {
    expect(read({ object_kind: 'tag_push', project, ref: 'refs/tags/v1' })).toMatchObject({ kind: 'ignored' })
    expect(read({ object_kind: 'push', project, ref: 'refs/heads/x', after: sha('0') })).toMatchObject({
      branch: 'x',
      isDeleted: true,
    })
  })
})

describe('events of Gitea and Forgejo (git 2)', () => {
  const repository = { id: 31, full_name: 'acme/shop', default_branch: 'main' }
  const pull_request = {
    number: 12,
    state: 'open',
    title: 'WIP: Keep the cart',
    merged: false,
    head: { ref: 'cart', sha: sha('b'), repo: { full_name: 'acme/shop' } },
    base: { ref: 'main', sha: sha('a'), repo: { full_name: 'acme/shop' } },
    updated_at: '2026-11-20T08:20:05Z',
  }

  test('a pull request is a draft by its title, and is synchronized', () => {
    const read = (action: string) => readEvent('gitea', 'pull_request', { action, repository, pull_request })
    expect(read('synchronized')).toMatchObject({ request: { isDraft: true, isExternal: false } })
    expect(read('synchronize')).toMatchObject({ kind: 'ignored' })
  })

  test('reviews have events of their own', () => {
    const payload = { action: 'reviewed', repository, pull_request, sender: { login: 'bob' } }
    expect(readEvent('forgejo', 'pull_request_rejected', payload)).toMatchObject({
      review: { login: 'bob', decision: 'changes_requested' },
    })
    expect(readEvent('forgejo', 'pull_request_comment', payload)).toMatchObject({ kind: 'ignored' })
  })

  test('a push may tell fewer commits than it counts', () => {
    const payload = { repository, ref: 'refs/heads/x', after: sha('b'), commits: [{ id: sha('b') }], total_commits: 9 }
    expect(readEvent('gitea', 'push', payload)).toMatchObject({ isCut: true, isForced: false })
    expect(readEvent('gitea', 'push', { ...payload, total_commits: 1 })).toMatchObject({ isCut: false })
  })
})

test('an event is of the repository with its number, or before that is known its name (git 2)', () => {
  const url = 'https://github.com/Acme/shop.git'
  const repository = { id: '7', name: 'acme/Shop', defaultBranch: null }
  expect(isAbout({ forge: 'github', forge_id: null, url }, repository)).toBe(true)
  expect(isAbout({ forge: 'github', forge_id: '7', url }, { ...repository, name: 'acme/renamed' })).toBe(true)
  expect(isAbout({ forge: 'github', forge_id: '8', url }, repository)).toBe(false)
  expect(isAbout({ forge: 'github', forge_id: null, url }, { ...repository, name: 'acme/other' })).toBe(false)
})

test('64 levels are read, more are not', () => {
  expect(isTooDeep(`${'['.repeat(64)}"[[{\\"["${']'.repeat(64)}`)).toBe(false)
  expect(isTooDeep(`${'['.repeat(65)}${']'.repeat(65)}`)).toBe(true)
})
