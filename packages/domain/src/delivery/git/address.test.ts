import { describe, expect, test } from 'vitest'
import { forgeOfAddress, nameOfAddress, type RepositoryAddress, readAddress, sameness } from './address.ts'

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
    expect(sameness(read(text))).toBe('github.com/acme/shop')
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
