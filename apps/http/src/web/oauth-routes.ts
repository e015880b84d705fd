import { randomUUID } from 'node:crypto'
import { DomainError, requirePresentPerson, tooManyCalls, unauthorized } from '@specboard/domain'
import { z } from 'zod'
import { answer, json } from '../answers.ts'
import type { HttpApp, HttpContext } from '../http-env.ts'
import { MinuteCounts } from '../limits/minute-counts.ts'
import type { WrongKeys } from '../limits/wrong-keys.ts'
import { addressOf } from '../middleware/address.ts'
import type { Authorization } from '../oauth/authorization.ts'
import { authorizationServer, protectedResource, resourceOf } from '../oauth/documents.ts'
import { sentOf } from '../oauth/exchange.ts'
import { RegistrationRefused, takenMetadata } from '../oauth/registration.ts'
import { withBody } from '../received-body.ts'
import { halvesOf, isOwnOrigin } from '../sessions/cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { foreign, noStore, parsedBody } from './session-answers.ts'

/** What the authorization routes need. */
export interface OauthParts {
  readonly authorization: Authorization
  readonly sessions: Sessions
  readonly wrongKeys: WrongKeys | undefined
}

/** The largest body from a client, and of a person's choice, bytes (people 3.6). */
const [maxClientBytes, maxChoiceBytes] = [16_384, 8_192]

/** The maximum requests from one address: to /authorize and /token in a minute, to /register in an hour. */
const [maxAsks, maxTokens, maxRegistrations] = [120, 300, 20]

const hourMs = 3_600_000

/** Any page may read these answers: clients also run in browsers, and send no cookie. */
const anyOrigin = { 'access-control-allow-origin': '*' }

const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
  'access-control-max-age': '86400',
}

/** The resources that have metadata: the service itself, and its endpoint with and without a slash. */
const described = ['', '/mcp', '/mcp/']

/** The paths that any page may call. */
const pathsForAnyOrigin: ReadonlySet<string> = new Set([
  ...['protected-resource', 'authorization-server'].flatMap(kind =>
    described.map(path => `/.well-known/oauth-${kind}${path}`),
  ),
  ...['/.well-known/openid-configuration', '/token', '/register', '/revoke'],
])

/** Whether any page may call a path. */
export const isForAnyOrigin = (path: string): boolean => pathsForAnyOrigin.has(path)

const Choice = z.strictObject({
  allow: z.boolean(),
  agent_id: z.string().max(100).optional(),
  new_agent: z
    .strictObject({ name: z.string().trim().min(1).max(255), preset_id: z.string().min(1).max(255) })
    .optional(),
  board_ids: z.array(z.string().max(100)).max(50).optional(),
  read_only: z.boolean().default(false),
  confirm: z.boolean().default(true),
})

/** Adds the routes with which MCP clients are authorized (people 3.3). */
export function addOauthRoutes(app: HttpApp, { authorization, sessions, wrongKeys }: OauthParts): void {
  const { publicUrl, registers } = authorization.options
  const clock = () => performance.now()
  const asks = new MinuteCounts(clock)
  const tokens = new MinuteCounts(clock)
  const registrations = new MinuteCounts(clock, hourMs)

  const document = (c: HttpContext, content: unknown) =>
    answer(c, 200, { ...json, ...anyOrigin, 'cache-control': 'max-age=300' }, JSON.stringify(content))

  for (const path of described) {
    app.get(`/.well-known/oauth-protected-resource${path}`, c => {
      const query = new URL(c.req.url).search
      const resource = resourceOf(publicUrl, path === '/mcp/' ? '/' : '', hasViewAlone(query) ? query : '')
      return document(c, protectedResource(publicUrl, resource))
    })
    app.get(`/.well-known/oauth-authorization-server${path}`, c =>
      document(c, authorizationServer(publicUrl, registers)),
    )
  }
  const { detail } = new DomainError('NOT_FOUND', 'This service is not an OpenID provider.', {
    entity_type: 'page',
    entity_id: 'openid-configuration',
  })
  app.get('/.well-known/openid-configuration', c =>
    answer(c, 404, { ...json, ...noStore, ...anyOrigin }, JSON.stringify({ detail })),
  )

  for (const path of pathsForAnyOrigin) app.options(path, c => answer(c, 204, preflight, null))

  app.get('/authorize', async c => {
    asks.limit(addressOf(c), maxAsks)
    const { search, isTooLong } = supportedQuery(new URL(c.req.url).searchParams, publicUrl)
    if (isTooLong)
      throw new DomainError('VALIDATION_ERROR', 'state may have at most 2,000 characters.', { field: 'state' })
    return inQuery(closed(await authorization.answer(sentOf(c, publicUrl, { url: `/authorize?${search}` }))))
  })
  app.get('/authorize/:uid', async c => closed(await authorization.answer(sentOf(c, publicUrl))))

  for (const path of ['/token', '/revoke'])
    app.post(path, async c => {
      tokens.limit(addressOf(c), maxTokens)
      const body = await withBody(c, maxClientBytes, async bytes => Buffer.from(bytes))
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? '')
      const request = sentOf(c, publicUrl, { body: isForm ? ofResource(body, publicUrl) : body })
      const answered = closed(await authorization.answer(request), anyOrigin)
      if (await isWrong(answered)) await wrongKeys?.refused(addressOf(c))
      return answered
    })

  if (registers)
    app.post('/register', async c => {
      registrations.limit(addressOf(c), maxRegistrations)
      const body = await withBody(c, maxClientBytes, async bytes => Buffer.from(bytes).toString())
      try {
        const metadata = takenMetadata(jsonOf(body), 'client_secret_basic')
        if (!(await authorization.clients.hasRoom()))
          throw tooManyCalls(hourMs, 'Too many clients have registered here today. Try again in an hour.')
        const request = sentOf(c, publicUrl, {
          body: Buffer.from(JSON.stringify(metadata)),
          headers: { 'content-type': 'application/json' },
        })
        return closed(await authorization.answer(request), anyOrigin)
      } catch (error) {
        if (!(error instanceof RegistrationRefused)) throw error
        const refused = { error: error.error, error_description: error.message }
        return answer(c, 400, { ...json, ...noStore, ...anyOrigin }, JSON.stringify(refused))
      }
    })

  /** The person who decides: whoever is signed in on a page of this service. */
  async function personOf(c: HttpContext) {
    if (!isOwnOrigin(c)) throw foreign()
    const halves = halvesOf(c)
    const found = halves && (await sessions.find(halves))
    if (found === undefined) {
      await wrongKeys?.refused(addressOf(c))
      throw unauthorized()
    }
    return found.caller
  }

  async function askedOf(c: HttpContext) {
    const id = c.req.param('id') ?? ''
    const question = await authorization.question(sentOf(c, publicUrl), id)
    if (question !== undefined) return question
    throw new DomainError('NOT_FOUND', 'There is no open request in this browser. Connect again from the app.', {
      entity_type: 'connection',
      entity_id: id,
    })
  }

  app.get('/connect/:id/choice', async c => {
    const person = await personOf(c)
    const question = await askedOf(c)
    const choices = await authorization.choices(person, question.client.id)
    return answer(c, 200, { ...json, ...noStore }, JSON.stringify({ ...question, ...choices }))
  })

  app.post('/connect/:id/choice', async c => {
    const person = await personOf(c)
    const question = await askedOf(c)
    requirePresentPerson(sessions.service, person, 'an answer to a client that asks to connect')
    const { allow, ...chosen } = await parsedBody(c, Choice, maxChoiceBytes)
    const request = sentOf(c, publicUrl)
    const url = allow
      ? await authorization.allow(request, question, person, chosen)
      : await authorization.deny(request, question, person)
    return answer(c, 200, { ...json, ...noStore }, JSON.stringify({ url }))
  })
}

/** Whether a client sent a secret, a code or a token that is wrong (people 7.1). */
async function isWrong(answered: Response): Promise<boolean> {
  if (answered.status !== 400) return answered.status === 401
  return (await answered.clone().text()).includes('"invalid_grant"')
}

/** An answer of the library, which is never cached. */
function closed(response: Response, headers: Readonly<Record<string, string>> = {}): Response {
  for (const [name, value] of Object.entries({
    'x-request-id': randomUUID(),
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...noStore,
    ...headers,
  }))
    response.headers.set(name, value)
  response.headers.delete('pragma')
  return response
}

/** An answer whose address has its parameters in the query, even if the library refuses a response mode. */
function inQuery(response: Response): Response {
  const location = response.headers.get('location')
  const at = location?.indexOf('#') ?? -1
  if (location === null || at === -1) return response
  const url = new URL(location.slice(0, at))
  for (const [name, value] of new URLSearchParams(location.slice(at + 1))) url.searchParams.set(name, value)
  response.headers.set('location', url.href)
  return response
}

const viewParameters = /^(?:toolsets|tools|exclude|readonly|board_id|schemas|answers|confirm)$/

/** Whether a query contains only view parameters, so that it belongs to the address that was pasted. */
function hasViewAlone(search: string): boolean {
  const names = [...new URLSearchParams(search).keys()]
  return names.length > 0 && names.every(name => viewParameters.test(name))
}

const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

const validScopes: ReadonlySet<string> = new Set(['read', 'write', 'offline_access'])

/** The query of a request to /authorize in the library's form: only the supported scopes, and the one resource. */
function supportedQuery(query: URLSearchParams, publicUrl: string) {
  const params = new URLSearchParams()
  for (const name of parameters) for (const value of query.getAll(name)) params.append(name, value)
  if (query.get('prompt') === 'none') params.set('prompt', 'none')
  const scopes = (query.get('scope') ?? '')
    .split(' ')
    .filter(scope => validScopes.has(scope) && scope !== 'offline_access')
  params.set('scope', scopes.length === 0 ? 'read write' : [...new Set(scopes)].join(' '))
  for (const resource of new Set(query.getAll('resource').map(uri => resourceNamed(uri, publicUrl))))
    params.append('resource', resource)
  return { search: params.toString(), isTooLong: (query.get('state') ?? '').length > 2_000 }
}

/** The resource that a client named, in its canonical form; another one unchanged. */
function resourceNamed(text: string, publicUrl: string): string {
  if (!URL.canParse(text)) return text
  const { origin, pathname, hash } = new URL(text)
  const isOwn = ['', '/', '/mcp', '/mcp/'].some(path => publicUrl + path === origin + pathname)
  return isOwn && hash === '' ? `${publicUrl}/mcp` : text
}

/** A form with its resource in the canonical form. */
function ofResource(body: Buffer, publicUrl: string): Buffer {
  const form = new URLSearchParams(body.toString())
  const resources = new Set(form.getAll('resource').map(one => resourceNamed(one, publicUrl)))
  form.delete('resource')
  for (const resource of resources) form.append('resource', resource)
  return Buffer.from(form.toString())
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
