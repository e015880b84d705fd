/** An S3 store for tests: the one given in the environment, or Versity's gateway on a folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@specboard/storage/testing'
import { AwsClient } from 'aws4fetch'
import { s3Address, s3Credentials } from './s3-address.ts'
import { S3Client, tagsIn } from './s3-client.ts'

/** A store with one bucket. */
export interface S3Server {
  /** The address of an unused part of the bucket. */
  newPlace(): string
  /** How many uploads into a place have begun and not ended. */
  unfinished(place: string): Promise<number>
  /** Ends the store, if the tests started it. */
  stop(): Promise<void>
}

const folders = [...(process.env.PATH ?? '').split(':'), join(homedir(), 'go', 'bin')]
const program = folders.map(folder => join(folder, 'versitygw')).find(file => existsSync(file))

/** Why there is no store for tests here; undefined when there is one. */
export const whyNoS3 = (): string | undefined =>
  process.env.SPECBOARD_TEST_S3_URL === undefined && program === undefined
    ? 'no S3 store: set SPECBOARD_TEST_S3_URL (s3://bucket?endpoint=…) and AWS_ACCESS_KEY_ID, or install versitygw'
    : undefined

/**
 * A store for tests: that of `SPECBOARD_TEST_S3_URL`, or else a newly started one; its keys are put into the
 * environment.
 */
export async function s3Server(): Promise<S3Server> {
  const url = process.env.SPECBOARD_TEST_S3_URL
  if (url !== undefined) return { newPlace: () => partOf(url), unfinished, stop: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'specboard-s3-'))
  const port = await freePort()
  const keys = { accessKeyId: 'specboard', secretAccessKey: randomBytes(16).toString('hex') }
  process.env.AWS_ACCESS_KEY_ID = keys.accessKeyId
  process.env.AWS_SECRET_ACCESS_KEY = keys.secretAccessKey
  // The file system of a test machine may lack the extended attributes in which the store would otherwise keep its
  // metadata.
  const notes = mkdtempSync(join(tmpdir(), 'specboard-s3-notes-'))
  const child = spawn(
    program!,
    ['--port', `127.0.0.1:${port}`, '--access', keys.accessKeyId, '--quiet', 'posix', '--sidecar', notes, folder],
    { stdio: 'ignore', env: { ...process.env, ROOT_SECRET_ACCESS_KEY: keys.secretAccessKey } },
  )
  const endpoint = `http://127.0.0.1:${port}`
  const client = new AwsClient({ ...keys, service: 's3', region: 'us-east-1', retries: 0 })
  await answered(child, () => client.fetch(`${endpoint}/attachments`, { method: 'PUT' }))
  return {
    newPlace: () => partOf(`s3://attachments?endpoint=${encodeURIComponent(endpoint)}`),
    unfinished,
    stop: async () => {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill()
      await ended
      for (const each of [folder, notes]) rmSync(each, { recursive: true, force: true })
    },
  }
}

async function unfinished(place: string): Promise<number> {
  const address = s3Address(place)
  const client = new S3Client(address, s3Credentials, error => {
    throw error
  })
  const page = await client.send({ method: 'GET', query: { uploads: '', prefix: address.prefix } })
  return tagsIn(await page!.text(), 'UploadId').length
}

function partOf(store: string): string {
  const address = new URL(store)
  address.pathname = join(address.pathname, `test-${randomBytes(8).toString('hex')}`)
  return address.href
}

/** Waits until a store that was started answers. */
async function answered(child: ChildProcess, ask: () => Promise<Response>): Promise<void> {
  while (child.exitCode === null) {
    const answer = await ask().catch(() => undefined)
    if (answer?.ok) return
    await sleep(50)
  }
  throw new Error(`versitygw ended with ${child.exitCode}.`)
}
