import { featureOf } from '@specboard/contract'
import {
  type Call,
  type Caller,
  DomainError,
  holderOf,
  type Service,
  tooManyStreams,
  type WrittenEntry,
} from '@specboard/domain'
import { meUri } from '../resources/uris.ts'
import { isVisible } from '../resources/visible.ts'
import { parentUris } from './parent-uris.ts'
import { touchedUris } from './touched-uris.ts'

/** A notification for an open stream. */
export type Notice =
  | { readonly kind: 'tools_list_changed' }
  | { readonly kind: 'resources_list_changed' }
  | { readonly kind: 'resource_updated'; readonly uri: string }

/** A listener, and the view through which it listens. */
export interface Listener {
  /** Authenticated again before each delivery. */
  readonly key: string
  readonly caller: Caller
  /** The board that its view is bound to. */
  readonly boardId: string | undefined
}

/** An open stream. */
export interface OpenStream extends Listener {
  /** The resources that it listens to. */
  readonly uris: ReadonlySet<string>
  /** Updates `uris` with subscriptions made on other nodes; undefined if there are none. */
  readonly refresh?: (() => Promise<void>) | undefined
  send(notice: Notice): void
  close(): void
}

/** A key's permissions and visibility: when they change, so do the lists. */
interface KeyRights {
  readonly permissions: string
  readonly boards: string
  readonly ways: string
}

/** Updates of one resource within this period are sent only once, ms (mcp 14.1). */
const gatherMs = 250

/** Whether a call can change what agents may do or see. */
const changesAccess = ({ operation }: Call): boolean => {
  const feature = featureOf(operation)
  return feature === 'agents' || feature === 'presets' || /^(?:create|delete)_board|_board_share$/.test(operation.name)
}

/** Notifies each open stream of the written resources that its key may see at that moment (mcp 14). */
export class Broadcast {
  readonly #service: Service
  readonly #onFault: (error: unknown) => void
  readonly #streams = new Map<OpenStream, { readonly standing: KeyRights; readonly leave: () => void }>()
  readonly #touched = new Set<string>()
  readonly #ends: readonly (() => void)[]
  #accessChanged = false
  #timer: NodeJS.Timeout | undefined

  constructor(service: Service, onFault: (error: unknown) => void) {
    this.#service = service
    this.#onFault = onFault
    this.#ends = [
      service.listen(events => this.#onEvents(events)),
      service.listenElsewhere((events, sight) => {
        this.#accessChanged ||= sight && this.#streams.size > 0
        this.#onEvents(events)
      }),
      service.watch(call => {
        if (this.#streams.size === 0 || !changesAccess(call)) return
        this.#accessChanged = true
        this.#schedule()
      }),
    ]
  }

  /**
   * Adds a stream; returns the function that removes it. Beyond the limit, the oldest is closed (mcp 15).
   * @throws DomainError BUSY when too many streams are open in all
   */
  async open(stream: OpenStream): Promise<() => void> {
    const holder = await this.#service.read(stream.caller, holderOf)
    const leave = this.#service.environment.streams.open.open(holder, 'mcp', () => this.#end(stream))
    if (leave === null) {
      stream.close()
      throw tooManyStreams()
    }
    this.#streams.set(stream, { standing: await this.#standingOf(stream.caller), leave })
    return () => this.#forget(stream)
  }

  /** Ends every stream and stops listening. */
  close(): void {
    clearTimeout(this.#timer)
    for (const end of this.#ends) end()
    for (const stream of this.#streams.keys()) this.#end(stream)
  }

  #onEvents(events: readonly WrittenEntry[]): void {
    if (this.#streams.size === 0) return
    for (const event of events) for (const uri of touchedUris(event)) this.#touched.add(uri)
    this.#schedule()
  }

  #end(stream: OpenStream): void {
    this.#forget(stream)
    stream.close()
  }

  #forget(stream: OpenStream): void {
    this.#streams.get(stream)?.leave()
    this.#streams.delete(stream)
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#deliver().catch(this.#onFault)
    }, gatherMs)
    this.#timer.unref()
  }

  async #deliver(): Promise<void> {
    const touched = [...this.#touched]
    const accessChanged = this.#accessChanged
    this.#touched.clear()
    this.#accessChanged = false
    const uris = new Set([...touched, ...(await parentUris(this.#service, touched))])
    if (accessChanged) uris.add(meUri)
    for (const [stream, { standing }] of [...this.#streams]) {
      await stream.refresh?.()
      const subscribed = [...uris].filter(uri => stream.uris.has(uri))
      if (subscribed.length === 0 && !accessChanged) continue
      const caller = await this.#callerOf(stream)
      if (caller === undefined) continue
      if (accessChanged) await this.#tellLists(stream, standing, caller)
      for (const uri of subscribed)
        if (await isVisible(this.#service, caller, uri, stream.boardId)) stream.send({ kind: 'resource_updated', uri })
    }
  }

  /** The agent of a stream's key; closes the stream if the key is no longer valid. */
  async #callerOf(stream: OpenStream): Promise<Caller | undefined> {
    try {
      return (await this.#service.authenticateMcp(stream.key)).caller
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      this.#end(stream)
      return undefined
    }
  }

  async #tellLists(stream: OpenStream, before: KeyRights, caller: Caller): Promise<void> {
    const now = await this.#standingOf(caller)
    const open = this.#streams.get(stream)
    if (open === undefined) return
    this.#streams.set(stream, { ...open, standing: now })
    if (now.permissions !== before.permissions || now.ways !== before.ways) stream.send({ kind: 'tools_list_changed' })
    if (now.boards !== before.boards || now.permissions !== before.permissions)
      stream.send({ kind: 'resources_list_changed' })
  }

  async #standingOf(caller: Caller): Promise<KeyRights> {
    const ways = await this.#service.read(caller, ctx => ctx.ways())
    return {
      permissions: [...caller.base.allowed].join(),
      boards: ways.map(way => way.boardId).join(),
      ways: JSON.stringify(ways),
    }
  }
}
