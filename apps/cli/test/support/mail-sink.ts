import { createServer, type Server, type Socket } from 'node:net'

/** A mail that a sink has taken: who it is for, and its text with headers. */
export interface TakenMail {
  readonly to: string
  readonly raw: string
}

/** A mail server of a test, which takes everything. */
export class MailSink {
  readonly mails: TakenMail[] = []
  /** Says that a mail was taken; at once unless set. */
  confirm: (mail: TakenMail, say: () => void) => void = (_, say) => say()
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #waiting: (() => void)[] = []

  private constructor() {
    this.#server = createServer(socket => this.#talk(socket))
  }

  static async start(): Promise<MailSink> {
    const sink = new MailSink()
    await new Promise<void>(resolve => sink.#server.listen(0, '127.0.0.1', resolve))
    return sink
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The sink does not listen.')
    return `smtp://127.0.0.1:${address.port}`
  }

  /** Waits until `count` mails have arrived. */
  async taken(count: number): Promise<readonly TakenMail[]> {
    while (this.mails.length < count) await new Promise<void>(resolve => this.#waiting.push(resolve))
    return this.mails
  }

  /** Waits until `count` mails for an address have arrived. */
  async takenBy(to: string, count: number): Promise<readonly TakenMail[]> {
    for (;;) {
      const found = this.mails.filter(mail => mail.to === to)
      if (found.length >= count) return found
      await this.taken(this.mails.length + 1)
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #talk(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let to = ''
    let text = ''
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const heed = (line: string): void => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
      if (verb === 'DATA') {
        isData = true
        say('354 go on')
      } else if (verb === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }
    say('220 sink')
    socket.on('data', part => {
      text += part.toString()
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const piece = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (!isData) heed(piece)
        else {
          isData = false
          const mail = { to, raw: piece }
          this.mails.push(mail)
          this.confirm(mail, () => say('250 taken'))
          for (const resolve of this.#waiting.splice(0)) resolve()
        }
      }
    })
  }
}

/** The readable part of a mail: soft line breaks and escapes of quoted-printable undone. */
export const readable = (raw: string): string =>
  raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
