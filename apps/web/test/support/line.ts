import { connect, createServer, type Server, type Socket } from 'node:net'

/** A line to a service that can be cut: all connections end, and new ones are refused, until it is mended. */
export class Line {
  readonly url: string
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #isCut = false

  private constructor(server: Server, port: number) {
    this.#server = server
    this.url = `http://127.0.0.1:${port}`
  }

  static to(port: number): Promise<Line> {
    const { promise, resolve } = Promise.withResolvers<Line>()
    const server = createServer(socket => line.#take(socket, port))
    let line: Line
    server.listen(0, '127.0.0.1', () => {
      line = new Line(server, (server.address() as { port: number }).port)
      resolve(line)
    })
    return promise
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#open) socket.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  close(): Promise<void> {
    this.cut()
    return new Promise(resolve => this.#server.close(() => resolve()))
  }

  #take(socket: Socket, port: number): void {
    if (this.#isCut) {
      socket.destroy()
      return
    }
    const service = connect(port, '127.0.0.1')
    for (const end of [socket, service]) {
      this.#open.add(end)
      end.on('error', () => {})
      end.once('close', () => {
        this.#open.delete(end)
        socket.destroy()
        service.destroy()
      })
    }
    socket.pipe(service).pipe(socket)
  }
}
