import { describe, expect, test } from 'vitest'
import {
  forgeOfAddress,
  nameOfAddress,
  pageOfChange,
  type RepositoryAddress,
  readAddress,
  repositoryKey,
} from './repository-address.ts'

const read = (text: string) => readAddress(text) as RepositoryAddress

describe('addresses of repositories (git 1)', () => {
  test.each([
    'https://github.com/acme/shop',
    'https://GitHub.com/acme/shop.git',
    'https://ada@github.com/acme/shop/',
    'ssh://git@github.com/acme/shop.git',
    'git@github.com:acme/shop.git',
    'github.com:acme/shop',
  ])('%s is the same repository', text => {
    expect(repositoryKey(read(text))).toBe('github.com/acme/shop')
    expect(nameOfAddress(read(text))).toBe('shop')
    expect(forgeOfAddress(read(text))).toBe('github')
  })

  test('a file is plain, and another host is not known', () => {
    expect(forgeOfAddress(read('file:///srv/git/shop.git'))).toBe('plain')
    expect(forgeOfAddress(read('https://git.example.com/shop'))).toBeUndefined()
  })

  test.each([
    'https://ada:secret@github.com/acme/shop',
    'https://ghp_0123456789abcdefghij@github.com/acme/shop',
    'https://x-access-token@github.com/acme/shop',
    'https://github.com/acme/shop?access_token=abc',
    'ssh://git:secret@github.com/acme/shop',
  ])('%s holds a secret', text => expect(readAddress(text)).toEqual({ fault: expect.stringContaining('token') }))

  test.each([
    'shop',
    'http://github.com/acme/shop',
    'git://github.com/a/b',
    'https://github.com/',
    'a b:c',
    'https://',
  ])('%s is no address', text => expect(readAddress(text)).toEqual({ fault: expect.stringContaining('https://') }))
})

describe('the page of a change (git 3)', () => {
  const commit = { kind: 'commit', key: 'abc' } as const

  test.each([
    ['git@github.com:acme/shop.git', 'github', commit, 'https://github.com/acme/shop/commit/abc'],
    ['ssh://git@git.example.com:2222/acme/shop', 'forgejo', commit, 'https://git.example.com/acme/shop/commit/abc'],
    [
      'https://gitlab.example.com:8443/a/b/shop.git',
      'gitlab',
      { kind: 'branch', key: 'fix/ä' },
      'https://gitlab.example.com:8443/a/b/shop/-/tree/fix/%C3%A4',
    ],
    ['https://git.example.com/shop', 'plain', commit, null],
  ] as const)('%s of %s', (url, forge, change, page) => expect(pageOfChange({ url, forge }, change)).toBe(page))
})
