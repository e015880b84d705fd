import type { Site } from '@specboard/http'
import { builtSite } from '@specboard/web'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { graphAtWork, type TestAgent, World } from '../../../cli/test/support/world.ts'
import { browserPath } from './browser-path.ts'

const isLeftOut = process.env.SPECBOARD_TESTS === 'quick'

if (browserPath === undefined && !isLeftOut)
  console.warn('No browser was found: its tests are skipped. Install Chromium, or name one in SPECBOARD_BROWSER.')

/** Tests that need a browser; skipped if there is none. `pnpm test` omits them, `pnpm test:all` runs them. */
export const describeInBrowser = describe.skipIf(browserPath === undefined || isLeftOut)

/** How the server of a test differs from others. */
type ServerSettings = NonNullable<Parameters<typeof World.start>[0]>

/** How a page is looked at. */
interface Looks {
  readonly width?: number
  readonly height?: number
  readonly colorScheme?: 'light' | 'dark'
  readonly reducedMotion?: 'reduce'
  readonly hasTouch?: boolean
  readonly isMobile?: boolean
  /** The language that its browser prefers; English if none is named. */
  readonly locale?: string
  /** Where the service is reached, if not directly. */
  readonly url?: string
}

/** A phone, held upright and pressed by a finger. */
export const phone = { width: 390, height: 844, hasTouch: true, isMobile: true } as const satisfies Looks

type Cookie = Parameters<BrowserContext['addCookies']>[0][number]

/** Both halves of a session. */
interface Session {
  readonly cookie: Cookie
  readonly half: string
}

/** A service with its pages, and browsers that open them. */
export class Browsing {
  #world: World
  readonly #site: Site
  readonly #browser: Browser
  /** The browsers of this test, each with what it can be reused for: who is signed in and how it looks. */
  readonly #used: { readonly context: BrowserContext; readonly purpose: string | undefined }[] = []
  /** Browsers of earlier tests, by their purpose: the files of the pages are in their caches. */
  readonly #idle = new Map<string, BrowserContext[]>()
  readonly #sessions = new Map<string, Session>()
  /** What pages complained about: faults of scripts, and what the security policy refused. */
  readonly complaints: string[] = []

  private constructor(world: World, site: Site, browser: Browser) {
    this.#world = world
    this.#site = site
    this.#browser = browser
  }

  get world(): World {
    return this.#world
  }

  static async start(settings: ServerSettings = {}): Promise<Browsing> {
    const site = await builtSite()
    const world = await World.start({ ...graphAtWork, ...settings }, site)
    return new Browsing(world, site, await sharedBrowser())
  }

  get url(): string {
    return this.world.running.url
  }

  /** A page in a new browser, in which nobody is signed in. */
  async visit(path = '/', looks: Looks = {}): Promise<Page> {
    const context = await this.#newContext(looks)
    this.#used.push({ context, purpose: undefined })
    return this.#pageIn(context, `${looks.url ?? this.url}${path}`)
  }

  /** A page at an address, in a browser that no other page of the test has, in which an agent is signed in. */
  async open(path: string, looks: Looks = {}, agent: TestAgent = this.world.owner): Promise<Page> {
    const url = looks.url ?? this.url
    const purpose = JSON.stringify([url, agent.key, looks])
    const context = this.#idle.get(purpose)?.pop() ?? (await this.#newContext(looks))
    this.#used.push({ context, purpose })
    const session = await this.#sessionOf(agent, url)
    await context.addCookies([session.cookie])
    return this.#pageIn(context, `${url}${path}`, session)
  }

  #newContext({ width = 1280, height = 800, url: _, ...looks }: Looks): Promise<BrowserContext> {
    return this.#browser.newContext({ viewport: { width, height }, ...looks })
  }

  async #pageIn(context: BrowserContext, address: string, session?: Session): Promise<Page> {
    const page = await context.newPage()
    if (session !== undefined) await page.addInitScript({ content: keepingOnce(session.half) })
    page.on('pageerror', error => this.complaints.push(String(error.stack)))
    page.on('console', message => {
      if (message.type() === 'error' && /Content Security Policy|React|Warning/.test(message.text()))
        this.complaints.push(message.text())
    })
    await answerLate(context, page)
    await page.goto(address)
    return page
  }

  /** A session of an agent at an address; one serves all tests of a file, as it does all tabs of a browser. */
  async #sessionOf(agent: TestAgent, url: string): Promise<Session> {
    const existing = this.#sessions.get(agent.key + url)
    if (existing !== undefined) return existing
    const answer = await fetch(`${url}/web/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: agent.key }),
    })
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(answer.headers.getSetCookie()[0]!)!
    const cookie = { name: name!, value: value!, url, httpOnly: true, sameSite: 'Strict' } as const
    const { half } = (await answer.json()) as { readonly half: string }
    const session = { cookie, half }
    this.#sessions.set(agent.key + url, session)
    return session
  }

  /** Stops the service, does something, and serves again at the same address. */
  async restart(whileStopped: () => Promise<void>): Promise<void> {
    const { port } = this.world.running
    this.#world = await this.world.restart({ port }, { site: this.#site, whileStopped })
  }

  async closePages(): Promise<void> {
    for (const { context, purpose } of this.#used.splice(0)) {
      if (purpose === undefined) {
        await context.close()
        continue
      }
      await Promise.all(context.pages().map(page => page.close()))
      this.#idle.set(purpose, [...(this.#idle.get(purpose) ?? []), context])
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#idle.values()].flat().map(context => context.close()))
    await this.world.stop()
  }
}

/**
 * Delay of every answer to the pages, ms. It makes actions fail that rely on an answer that has not arrived yet, as
 * they would now and then on a busy machine.
 */
const latenessMs = Number(process.env.SPECBOARD_TEST_LATE_ANSWERS ?? 0)

async function answerLate(context: BrowserContext, page: Page): Promise<void> {
  if (latenessMs === 0) return
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latenessMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}

/** A script that stores the second half of a session as signing in does: once, before the scripts of the first page. */
const keepingOnce = (half: string): string => `
  if (self === top && sessionStorage.getItem('given') === null) {
    sessionStorage.setItem('given', 'yes')
    localStorage.setItem('specboard-session-half', ${JSON.stringify(half)})
  }
`

let browserOfWorker: Promise<Browser> | undefined

/** The browser that all files of this worker share; it ends with the worker. Each file closes what it opens in it. */
export const sharedBrowser = (): Promise<Browser> => {
  browserOfWorker ??= chromium.launch({ executablePath: browserPath!, args: ['--disable-dev-shm-usage'] })
  return browserOfWorker
}

/** Signs in with the form, then waits for the inbox, or for the page that was open. */
export async function signIn(page: Page, key: string, isOnInbox = true): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await (isOnInbox ? page.getByRole('heading', { name: 'Inbox' }) : page.locator('.shell')).waitFor()
}

/** Starts a service and a browser for the tests of a file, and closes them; no page may have complained. */
export function browsing(settings: () => Promise<ServerSettings> = async () => ({})): () => Browsing {
  let current: Browsing | undefined
  beforeAll(async () => {
    current = await Browsing.start(await settings())
  })
  afterEach(async () => {
    await current?.closePages()
    expect(current?.complaints.splice(0)).toEqual([])
  })
  afterAll(() => current?.stop())
  return () => current!
}
