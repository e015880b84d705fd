import { existsSync } from 'node:fs'

/**
 * Paths of known browsers, used unless SPECBOARD_BROWSER names one. The headless shell takes half the time of the
 * others.
 */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser of this machine; undefined without one. */
export const browserPath: string | undefined = process.env.SPECBOARD_BROWSER ?? candidates.find(existsSync)
