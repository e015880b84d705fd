import { expect, test } from 'vitest'
import { hasTokens, issuerOf, pipelineLines, pipelines } from './pipeline-lines.ts'

const filled = { url: 'https://specboard.example', boardId: 'b-1' }

test.each(pipelines)('the lines of %s name the service and the board (evidence 11)', pipeline => {
  const text = pipelineLines(pipeline, filled).join('\n')
  expect(text).toContain('https://specboard.example')
  expect(text).toContain('b-1')
  expect(text).toContain('npx -y specboard report')
  expect(text.includes('SPECBOARD_API_KEY')).toBe(!hasTokens(pipeline))
})

test.each([
  ['github', 'github.com', 'https://token.actions.githubusercontent.com'],
  ['github', 'git.acme.example', 'https://git.acme.example/_services/token'],
  ['gitlab', 'gitlab.com', 'https://gitlab.com'],
  ['forgejo', 'codeberg.org', 'https://codeberg.org/api/actions'],
  ['gitea', 'gitea.com', undefined],
] as const)('tokens of %s at %s come from %s', (pipeline, host, issuer) => {
  expect(issuerOf(pipeline, `https://${host}/acme/shop`)).toBe(issuer)
  expect(issuerOf(pipeline, `git@${host}:acme/shop.git`)).toBe(issuer)
})

test('a folder has no issuer', () => {
  expect(issuerOf('gitlab', 'file:///srv/shop.git')).toBeUndefined()
})
