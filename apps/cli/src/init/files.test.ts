/** What `init` writes into files of others, and takes out again (harness 2.1). */
import { describe, expect, test } from 'vitest'
import { withImport, withoutSection, withSection } from './agents-section.ts'
import { type ProjectClient, projectClients, withoutService, withService } from './client-files.ts'
import { hookFiles, withHooks, withoutHooks } from './hook-files.ts'

describe('the block of instructions', () => {
  const merge = (present: string, board = 'PRO') => withSection('AGENTS.md', present, board)

  test.each(['', '# Ours\n', '# Ours', '# Ours\r\n\r\nMore\r\n', '\n', 'a\n\n', 'a\n\n\nb'])(
    'comes and goes and leaves %j byte for byte',
    present => {
      const text = merge(present)
      expect(merge(text)).toBe(text)
      expect(withoutSection('AGENTS.md', text)).toBe(present)
      const imported = withImport('CLAUDE.md', present)
      expect(withImport('CLAUDE.md', imported)).toBe(imported)
      expect(withoutSection('CLAUDE.md', imported)).toBe(present)
    },
  )

  test('is at most 15 lines, and keeps the line endings', () => {
    expect(merge('').trimEnd().split('\n').length).toBeLessThanOrEqual(15)
    expect(merge('a\r\n').replaceAll('\r\n', '')).not.toContain('\n')
  })

  test('replaces an older one in its place', () => {
    const old = 'before\n\n<!-- specboard:begin -->\nold\n<!-- specboard:end -->\n\nafter\n'
    const text = merge(old, 'NEW')
    expect(text).toMatch(
      /^before\n\n<!-- specboard:begin v2 -->[\s\S]*Refer to the board as `NEW`[\s\S]*<!-- specboard:end -->\n\nafter\n$/,
    )
    expect(text).not.toContain('\nold\n')
    expect(withoutSection('AGENTS.md', text)).toBe('before\n\nafter\n')
  })

  test('is refused where it has no end, and not imported twice', () => {
    expect(() => merge('<!-- specboard:begin v2 -->\n')).toThrow('without')
    expect(() => withoutSection('AGENTS.md', '<!-- specboard:begin v2 -->\n')).toThrow('without')
    expect(withImport('CLAUDE.md', 'x\n@AGENTS.md\n')).toBe('x\n@AGENTS.md\n')
  })
})

describe.each(projectClients)('the hooks of %s', client => {
  const event = Object.keys(JSON.parse(withHooks(client, '')).hooks)[0]!
  const theirs = { command: 'other' }

  test('come once, and go with the file where nothing else stands in it', () => {
    const text = withHooks(client, '')
    expect(withHooks(client, text)).toBe(text)
    expect(withoutHooks(client, text)).toBe('')
    expect(hookFiles[client]).toMatch(/^\./)
  })

  test('leave those of others, comments included', () => {
    const present = `{\n  // mine\n  "hooks": {\n    "${event}": [\n      // theirs\n      { "command": "other" }\n    ]\n  },\n  "other": 1\n}\n`
    const text = withHooks(client, present)
    expect(withHooks(client, text)).toBe(text)
    expect(text).toMatch(/\/\/ mine[\s\S]*\/\/ theirs/)
    const remaining = withoutHooks(client, text)
    expect(remaining).not.toContain('specboard')
    expect(remaining).toMatch(/\/\/ mine[\s\S]*\/\/ theirs/)
    expect(withoutHooks(client, present)).toBe(present)
  })

  test('replace older ones of ours', () => {
    const old = { hooks: { [event]: [theirs, { command: 'specboard hook old --client x' }] } }
    const [first, ...ours] = JSON.parse(withHooks(client, JSON.stringify(old))).hooks[event]
    expect(first).toEqual(theirs)
    expect(JSON.stringify(ours)).not.toContain('hook old')
    expect(() => withHooks(client, '{ broken')).toThrow('not valid JSON')
  })
})

test('the hooks and the server of Gemini CLI share a file', () => {
  const client: ProjectClient = 'gemini'
  const text = withHooks(client, withService(client, '', { url: 'http://127.0.0.1:8100', board: 'PRO' }))
  expect(withoutHooks(client, withoutService(client, text))).toBe('')
})
