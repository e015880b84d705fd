import type { Implementation } from '@modelcontextprotocol/server'

/** The product's logo: three columns of cards. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#2b6" d="M3 3h5v18H3zm6.5 0h5v12h-5zM16 3h5v7h-5z"/></svg>',
)}`

/** What the server says about itself; the only place with an icon (mcp 1.4). */
export const serverInfo = (version: string): Implementation => ({
  name: 'specboard',
  title: 'Specboard',
  version,
  icons: [{ src: icon, mimeType: 'image/svg+xml', sizes: ['any'] }],
})
