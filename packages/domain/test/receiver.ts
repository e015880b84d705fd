import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A message as it was received over the socket. */
export interface ReceivedMessage {
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The parsed body. Tests look into it freely. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of all kinds
  readonly body: any
}

/** How a receiver answers. */
export type Answering = (response: ServerResponse, received: ReceivedMessage) => void

/** An answer with a status and no body. */
export const status =
  (code: number): Answering =>
  response =>
    response.writeHead(code).end()

/** A receiver of webhooks on a real socket. */
export class Receiver {
  readonly received: ReceivedMessage[] = []
  answer: Answering = status(204)
  readonly #server: Server
  #waiting: { readonly count: number; readonly go: () => void }[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', part => {
        text += part
      })
      request.on('end', () => {
        const received = { headers: request.headers, text, body: JSON.parse(text) }
        this.received.push(received)
        this.#tell()
        this.answer(response, received)
      })
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>(resolve => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`
  }

  /** Waits until this many messages have been received. */
  async came(count: number): Promise<readonly ReceivedMessage[]> {
    await new Promise<void>(go => {
      this.#waiting.push({ count, go })
      this.#tell()
    })
    return this.received
  }

  #tell(): void {
    const isThere = ({ count }: { readonly count: number }) => this.received.length >= count
    for (const { go } of this.#waiting.filter(isThere)) go()
    this.#waiting = this.#waiting.filter(waiting => !isThere(waiting))
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

/** Whether a secret signed a message; the time of its signature is not checked. */
export function isSignedWith(secret: string, { headers, text }: ReceivedMessage): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signature = new Webhook(secret).sign(String(headers['webhook-id']), at, text)
  return String(headers['webhook-signature']).split(' ').includes(signature)
}
