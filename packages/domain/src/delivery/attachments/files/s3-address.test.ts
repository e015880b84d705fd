import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { s3Address, s3Credentials } from './s3-address.ts'

test.each([
  ['s3://b', {}, 'https://b.s3.us-east-1.amazonaws.com', ''],
  ['s3://b/some/folder/', { AWS_REGION: 'eu-west-1' }, 'https://b.s3.eu-west-1.amazonaws.com', 'some/folder/'],
  ['s3://b/p?region=eu-north-1&path-style=true', {}, 'https://s3.eu-north-1.amazonaws.com/b', 'p/'],
  ['s3://b?endpoint=http://127.0.0.1:9000', {}, 'http://127.0.0.1:9000/b', ''],
  ['s3://b?endpoint=https://s3.host/base/', {}, 'https://s3.host/base/b', ''],
  ['s3://b?endpoint=https://s3.host&path-style=false', {}, 'https://b.s3.host', ''],
  ['s3://b', { AWS_ENDPOINT_URL_S3: 'https://minio:9000' }, 'https://minio:9000/b', ''],
])('%s', (text, variables, url, prefix) => {
  expect(s3Address(text, variables)).toMatchObject({ bucket: 'b', url, prefix })
})

test.each([
  ['no address', /not an address/],
  ['https://b', /s3:\/\//],
  ['s3:///folder', /bucket/],
  ['s3://key:secret@b', /keys do not belong/],
  ['s3://b?endpoint=https://key:secret@host', /keys do not belong/],
  ['s3://b?endpoint=ftp://host', /http address/],
  ['s3://b?secret=x', /not secret/],
  ['s3://b?path-style=maybe', /true or false/],
])('%s is refused without repeating it', (text, message) => {
  expect(() => s3Address(text, {})).toThrow(message)
  expect(() => s3Address(text, {})).not.toThrow(/key:secret/)
})

test('keys come from the environment, else from the profile in the credentials file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-keys-'))
  try {
    const file = join(folder, 'credentials')
    writeFileSync(
      file,
      '[default]\naws_access_key_id = A\naws_secret_access_key = a/+=\n\n[other]\naws_access_key_id=B\naws_secret_access_key=b\naws_session_token = t\n',
    )
    const variables = { AWS_SHARED_CREDENTIALS_FILE: file }
    expect(await s3Credentials(variables)).toEqual({ accessKeyId: 'A', secretAccessKey: 'a/+=' })
    expect(await s3Credentials({ ...variables, AWS_PROFILE: 'other' })).toEqual({
      accessKeyId: 'B',
      secretAccessKey: 'b',
      sessionToken: 't',
    })
    const own = { AWS_ACCESS_KEY_ID: 'C', AWS_SECRET_ACCESS_KEY: 'c' }
    expect(await s3Credentials({ ...variables, ...own })).toEqual({ accessKeyId: 'C', secretAccessKey: 'c' })
    await expect(s3Credentials({ ...variables, AWS_PROFILE: 'none' })).rejects.toThrow('under [none]')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
