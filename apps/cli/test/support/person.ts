import type { OperationName } from '@specboard/contract'
import { ownerLink } from '../../src/web-link.ts'
import { ownPage, type SessionHeaders, signedIn, signedInByLink } from './web-session.ts'
import type { CallOptions, TestAnswer, World } from './world.ts'

/** A person of a test, in a session of a browser. */
export class Person {
  readonly #world: World
  readonly #session: SessionHeaders

  private constructor(world: World, session: SessionHeaders) {
    this.#world = world
    this.#session = session
  }

  /** The Local Owner, present: signed in by the link of `specboard open`. */
  static async owner(world: World): Promise<Person> {
    const place = { folder: world.dataDir, databaseUrl: world.databaseUrl }
    const link = (await ownerLink(place, world.running.url))!
    return Person.byLink(world, link)
  }

  /** Whoever a one-time link signs in. */
  static async byLink(world: World, link: string): Promise<Person> {
    return new Person(world, await signedInByLink(world.running.url, link))
  }

  /** Whoever has a key; the person need not be present. */
  static async byKey(world: World, key: string): Promise<Person> {
    return new Person(world, await signedIn(world.running.url, '/web/session', { key }))
  }

  /** Whoever has both halves of a session. */
  static of(world: World, session: SessionHeaders): Person {
    return new Person(world, session)
  }

  /** The options with which `World.call` makes a call of the page, instead of one with a key. */
  get page(): CallOptions {
    return { as: null, headers: { ...ownPage, origin: this.#world.running.url, ...this.#session } }
  }

  call(name: OperationName, args: Readonly<Record<string, unknown>> = {}): Promise<TestAnswer> {
    return this.#world.call(name, args, this.page)
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of all operations
  ok(name: OperationName, args: Readonly<Record<string, unknown>> = {}): Promise<any> {
    return this.#world.ok(name, args, this.page)
  }
}
