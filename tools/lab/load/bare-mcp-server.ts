/** The baseline for MCP: the SDK's own handler with one tool that answers a fixed result. Prints its port. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'

const text = JSON.stringify({
  id: 'x',
  title: 'Idea 0',
  description: 'x'.repeat(300),
  labels: ['a', 'b'],
  status: 'draft',
  version: 1,
})

const serverOf = () => {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/call', () => ({
    content: [{ type: 'text' as const, text }],
    structuredContent: JSON.parse(text),
  }))
  return server
}

const handler = createMcpHandler(serverOf)

const http = createServer(async (request, response) => {
  const answered = await handler.fetch(
    new Request(`http://127.0.0.1${request.url}`, {
      method: request.method ?? 'GET',
      headers: request.headers as Record<string, string>,
      ...(request.method === 'POST' && { body: Readable.toWeb(request), duplex: 'half' }),
    } as RequestInit),
  )
  response.writeHead(answered.status, Object.fromEntries(answered.headers))
  response.end(Buffer.from(await answered.arrayBuffer()))
})
http.listen(0, '127.0.0.1', () => {
  const address = http.address()
  console.log(typeof address === 'object' ? address?.port : '')
})
