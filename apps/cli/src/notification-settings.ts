import { readFileSync } from 'node:fs'
import type { NotificationSettings } from '@specboard/domain'
import { errorMessage } from './error-message.ts'
import { SettingError } from './setting-sources.ts'
import type { Settings } from './settings.ts'

/**
 * How people are notified, with secrets read from files.
 * @throws SettingError for a file that cannot be read
 */
export function notificationSettings(settings: Settings): NotificationSettings {
  const { smtpUrl: url, smtpPasswordFile, mailFrom: from, slackTokenFile, telegramTokenFile } = settings
  const password = secretIn('SPECBOARD_SMTP_PASSWORD_FILE', smtpPasswordFile)
  return {
    contact: settings.contact,
    smtp: url === undefined || from === undefined ? undefined : { url, from, password },
    slackToken: secretIn('SPECBOARD_SLACK_TOKEN_FILE', slackTokenFile),
    slackApi: settings.slackApi,
    telegramToken: secretIn('SPECBOARD_TELEGRAM_TOKEN_FILE', telegramTokenFile),
    telegramApi: settings.telegramApi,
    content: settings.notifyContent,
  }
}

/** The contents of a file, without a trailing line break. */
function secretIn(variable: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingError(`${variable} cannot be read: ${errorMessage(error)}`)
  }
}
