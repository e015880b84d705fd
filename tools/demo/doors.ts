import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type Client, ClientError, createClient } from '@specboard/client'
import { registry } from '@specboard/contract'

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** How an agent calls the service: the same methods through either door. */
export interface Door {
  readonly client: Client
  close(): Promise<void>
}

/** Over HTTP, with the typed client. */
export const httpDoor = (url: string, key: string): Door => ({
  client: createClient({ url, key }),
  close: async () => {},
})

/** Over MCP, with the real client: each method is a tool call. */
export async function mcpDoor(url: string, key: string, name: string): Promise<Door> {
  const client = new McpClient({ name, version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  )
  const methods = registry.map(operation => [
    camel(operation.name),
    async (args: Readonly<Record<string, unknown>> = {}) => callTool(client, operation.name, await toolArguments(args)),
  ])
  return { client: Object.fromEntries(methods) as Client, close: () => client.close() }
}

async function callTool(client: McpClient, name: string, args: Record<string, unknown>): Promise<unknown> {
  const result = await client.callTool({ name, arguments: args })
  const [first] = Array.isArray(result.content) ? result.content : []
  const text = first !== undefined && first.type === 'text' ? first.text : '{}'
  const value = JSON.parse(text)
  if (result.isError) throw new ClientError(name, value.status, value.detail)
  return value
}

/** A tool takes a file as its name and text. */
async function toolArguments({ file, ...args }: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
  return file instanceof File ? { ...args, filename: file.name, mime_type: file.type, text: await file.text() } : args
}
