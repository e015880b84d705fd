import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** Collects the garbage of a server through its inspector, so that what remains is what the server keeps. */
export class Collector {
  readonly #port: number
  #socket: WebSocket | undefined

  private constructor(port: number) {
    this.#port = port
  }

  /** A collector on a port that is free now. */
  static async onFreePort(): Promise<Collector> {
    const probe = createServer().listen(0, '127.0.0.1')
    await once(probe, 'listening')
    const { port } = probe.address() as AddressInfo
    probe.close()
    await once(probe, 'close')
    return new Collector(port)
  }

  /** The environment with which the server listens to the collector. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--inspect=127.0.0.1:${this.#port} --inspect-publish-uid=http` }
  }

  /** Runs full collections until they free nothing more. */
  async collect(): Promise<void> {
    this.#socket ??= await this.#connect()
    for (let time = 0; time < 2; time++) {
      const done = once(this.#socket, 'message')
      this.#socket.send(JSON.stringify({ id: time, method: 'HeapProfiler.collectGarbage' }))
      await done
    }
  }

  end(): void {
    this.#socket?.close()
  }

  async #connect(): Promise<WebSocket> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/json/list`)
    const [target] = (await response.json()) as [{ webSocketDebuggerUrl: string }]
    const socket = new WebSocket(target.webSocketDebuggerUrl)
    await once(socket, 'open')
    return socket
  }
}
