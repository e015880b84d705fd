/** The location of an S3 store, and the credentials for it (deployment, "Attachments"). */
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** A bucket, or a part of one. */
export interface S3Address {
  readonly bucket: string
  /** The prefix of all keys: empty, or ending in a slash. */
  readonly prefix: string
  /** The address of the bucket, without a slash at the end. */
  readonly url: string
  readonly region: string
}

type Variables = Readonly<Record<string, string | undefined>>

const parameters = ['endpoint', 'region', 'path-style']

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&path-style=…`. Without an endpoint it is Amazon's, where the bucket is
 * part of the host name; elsewhere it is part of the path by default. Region and endpoint may come from the standard S3
 * variables.
 * @throws TypeError saying what is wrong; it never repeats the text, which may contain a password
 */
export function s3Address(text: string, variables: Variables = process.env): S3Address {
  if (!URL.canParse(text)) throw new TypeError('it is not an address')
  const { protocol, hostname: bucket, pathname, port, username, password, searchParams } = new URL(text)
  if (protocol !== 's3:' || bucket === '' || port !== '')
    throw new TypeError('it does not begin with s3:// and a bucket')
  const endpoint = new URL(
    searchParams.get('endpoint') ??
      variables.AWS_ENDPOINT_URL_S3 ??
      variables.AWS_ENDPOINT_URL ??
      'https://amazonaws.com',
  )
  if ([username, password, endpoint.username, endpoint.password].some(part => part !== ''))
    throw new TypeError('keys do not belong in an address, but in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  for (const name of searchParams.keys())
    if (!parameters.includes(name)) throw new TypeError(`it may have ${parameters.join(', ')}, not ${name}`)
  if (!/^https?:$/.test(endpoint.protocol)) throw new TypeError('its endpoint is not an http address')
  const region = searchParams.get('region') ?? variables.AWS_REGION ?? variables.AWS_DEFAULT_REGION ?? 'us-east-1'
  const isAmazon = endpoint.hostname === 'amazonaws.com'
  if (isAmazon) endpoint.hostname = `s3.${region}.amazonaws.com`
  const style = searchParams.get('path-style') ?? String(!isAmazon)
  if (style !== 'true' && style !== 'false') throw new TypeError('its path-style is not true or false')
  if (style === 'true') endpoint.pathname = join(endpoint.pathname, bucket)
  else endpoint.hostname = `${bucket}.${endpoint.hostname}`
  const folder = pathname
    .split('/')
    .filter(part => part !== '')
    .map(decodeURIComponent)
  return {
    bucket,
    prefix: folder.map(part => `${part}/`).join(''),
    url: `${endpoint.origin}${endpoint.pathname.replace(/\/$/, '')}`,
    region,
  }
}

/** The credentials that requests are signed with. */
export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/**
 * The keys from the environment, or else from the profile in the credentials file. Read for each request, so that
 * renewed ones take effect.
 * @throws Error saying where keys were looked for
 */
export async function s3Credentials(variables: Variables = process.env): Promise<S3Credentials> {
  const {
    AWS_SHARED_CREDENTIALS_FILE: file = join(homedir(), '.aws', 'credentials'),
    AWS_PROFILE: profile = 'default',
  } = variables
  return (
    credentialsIn(variables, name => name.toUpperCase()) ??
    credentialsIn(await profileOf(file, profile), name => name) ??
    missing(file, profile)
  )
}

function credentialsIn(values: Variables, named: (name: string) => string): S3Credentials | undefined {
  const accessKeyId = values[named('aws_access_key_id')]
  const secretAccessKey = values[named('aws_secret_access_key')]
  const sessionToken = values[named('aws_session_token')]
  if (!accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) }
}

/** A section of a credentials file; empty if it is missing. */
async function profileOf(file: string, profile: string): Promise<Variables> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n')
  const from = lines.findIndex(line => sectionOf(line) === profile)
  if (from === -1) return {}
  const below = lines.slice(from + 1)
  const end = below.findIndex(line => sectionOf(line) !== undefined)
  return parseEnv((end === -1 ? below : below.slice(0, end)).join('\n'))
}

/** The name of the section that a line begins. */
function sectionOf(line: string): string | undefined {
  const text = line.trim()
  return text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trim() : undefined
}

function missing(file: string, profile: string): never {
  throw new Error(
    `There are no keys for the S3 store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name them in ${file} under [${profile}].`,
  )
}
