/**
 * Takes `__proto__` off all objects, so that no key of that name leads to a prototype (walls 2, rule 2). Each thread and
 * process of the service begins with it: the base prototypes are a thread's own.
 */
Reflect.deleteProperty(Object.prototype, '__proto__')
