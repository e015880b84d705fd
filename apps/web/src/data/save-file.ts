/** How long the browser may take to start a download, ms. */
const keptMs = 60_000

const named = /filename="?([^";]+)/

/**
 * Saves the file of a response, like a download link: a link cannot send the second half of the session (walls 8).
 * @param name the file name, by default the one in the response
 */
export async function saveFile(answer: Response, name?: string): Promise<void> {
  const address = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name ?? named.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), keptMs)
}
