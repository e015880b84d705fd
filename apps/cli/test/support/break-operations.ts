/** Loaded before a server: at SIGUSR2 all operations begin to fail as if by an unforeseen fault. */
import { Authenticator } from '../../../../packages/domain/src/kernel/service/authenticate.ts'
import { Service } from '../../../../packages/domain/src/kernel/service/service.ts'

process.on('SIGUSR2', () => {
  const fail = () => Promise.reject(new TypeError('broken by the test'))
  Service.prototype.perform = fail
  Authenticator.prototype.authenticate = fail
})
