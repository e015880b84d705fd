/** What is said of a setting with an invalid value, which may hold secrets. */
import { expect, test } from 'vitest'
import { readSettings, sourceOf } from '../src/settings.ts'

const saidOf = (environment: Readonly<Record<string, string>>): string => {
  try {
    readSettings({}, environment)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The settings were taken.')
}

test.each([
  ['s3://bucket?secret=hidden&region=x', 's3://bucket?secret=…&region=…'],
  ['s3://key:hidden@bucket/prefix', 's3://…@bucket/prefix'],
  ['s3://key:hid/den@bucket', 's3://…@bucket'],
  ['s3://bucket?endpoint=https://key:hidden@host', 's3://bucket?endpoint=…'],
  ['s3://bucket?token=hid?den=hid&secret=', 's3://bucket?token=…&secret=…'],
])('the address %s is repeated without its secrets', (url, shown) => {
  const said = saidOf({ SPECBOARD_ATTACHMENTS_URL: url })
  expect(said).toMatch(/^SPECBOARD_ATTACHMENTS_URL must be the address of an S3 store/)
  expect(said).toContain(`not "${shown}"`)
})

test('a value that is no address is repeated as it is', () => {
  expect(saidOf({ SPECBOARD_PORT: 'a?b=c' })).toContain('not "a?b=c"')
})

test('what Kubernetes sets beside a service named specboard is no port, and other text is refused as before', () => {
  const linked = { SPECBOARD_PORT: 'tcp://10.96.0.7:8100' }
  expect(readSettings({}, linked).port).toBe(8100)
  expect(sourceOf('port', {}, linked)).toBe('default')
  expect(readSettings({ port: '9000' }, linked).port).toBe(9000)
  expect(saidOf({ SPECBOARD_PORT: 'udp://10.96.0.7:8100' })).toMatch(/^SPECBOARD_PORT must be a port/)
})
