{{- define "specboard.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "specboard.selector" -}}
app.kubernetes.io/name: specboard
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "specboard.labels" -}}
{{ include "specboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "specboard.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "specboard.hosts" -}}
{{- $hosts := .Values.allowedHosts -}}
{{- if .Values.ingress.enabled }}{{ $hosts = append $hosts .Values.ingress.host }}{{ end -}}
{{- $name := include "specboard.name" . -}}
{{- $inside := list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace) -}}
{{- concat $hosts $inside | uniq | join "," -}}
{{- end }}

{{- /* A setting as the service reads it: YAML turns on and off into booleans, and large numbers into floats. */ -}}
{{- define "specboard.setting" -}}
{{- if kindIs "bool" . }}{{ ternary "on" "off" . }}
{{- else if kindIs "slice" . }}{{ join "," . }}
{{- else if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}
{{- else }}{{ . }}{{ end -}}
{{- end }}

{{- define "specboard.pod" -}}
metadata:
  labels:
    {{- include "specboard.labels" . | nindent 4 }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "specboard.name" . }}
  automountServiceAccountToken: false
  # A service named specboard would set SPECBOARD_PORT.
  enableServiceLinks: false
  # Longer than a stop takes: it finishes what was accepted.
  terminationGracePeriodSeconds: 30
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: specboard
      image: {{ include "specboard.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: [ALL]
      env:
        # Below the volume, which Kubernetes lets a group write.
        - name: SPECBOARD_DATA_DIR
          value: /data/specboard
        - name: SPECBOARD_ALLOWED_HOSTS
          value: {{ include "specboard.hosts" . | quote }}
        {{- if .Values.database.existingSecret }}
        - name: SPECBOARD_DATABASE_URL_FILE
          value: /run/secrets/database/url
        {{- if .Values.database.readUrlKey }}
        - name: SPECBOARD_DATABASE_READ_URL_FILE
          value: /run/secrets/database/read-url
        {{- end }}
        {{- else if .Values.backups.enabled }}
        - name: SPECBOARD_BACKUP_DIR
          value: /backups
        - name: SPECBOARD_BACKUP_AT
          value: {{ .Values.backups.at | quote }}
        - name: SPECBOARD_BACKUP_EVERY
          value: {{ .Values.backups.everyHours | quote }}
        - name: SPECBOARD_BACKUP_KEEP
          value: {{ .Values.backups.keep | quote }}
        {{- end }}
        {{- if .Values.secretKey.existingSecret }}
        - name: SPECBOARD_SECRET_KEY_FILE
          value: /run/secrets/key/key
        {{- end }}
        {{- if .Values.ownerKey.existingSecret }}
        - name: SPECBOARD_OWNER_API_KEY_FILE
          value: /run/secrets/owner/key
        {{- end }}
        {{- if .Values.metrics.enabled }}
        - name: SPECBOARD_METRICS_PORT
          value: {{ .Values.metrics.port | quote }}
        - name: SPECBOARD_METRICS_HOST
          value: 0.0.0.0
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        {{- if not (kindIs "invalid" $value) }}
        - name: SPECBOARD_{{ $name }}
          value: {{ include "specboard.setting" $value | quote }}
        {{- end }}
        {{- end }}
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - name: http
          containerPort: 8100
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: {{ .Values.metrics.port }}
        {{- end }}
      # A migration of a large database takes its time before the first answer.
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 2
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 30
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 6
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- if and .Values.backups.enabled (not .Values.database.existingSecret) }}
        - name: backups
          mountPath: /backups
        {{- end }}
        {{- if .Values.database.existingSecret }}
        - name: database
          mountPath: /run/secrets/database
          readOnly: true
        {{- end }}
        {{- if .Values.secretKey.existingSecret }}
        - name: key
          mountPath: /run/secrets/key
          readOnly: true
        {{- end }}
        {{- if .Values.ownerKey.existingSecret }}
        - name: owner
          mountPath: /run/secrets/owner
          readOnly: true
        {{- end }}
        {{- range $index, $secret := .Values.secretFiles }}
        - name: files-{{ $index }}
          mountPath: /etc/specboard/{{ $secret }}
          readOnly: true
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.database.existingSecret }}
    # Nothing of the service stays in it but the first owner's key.
    - name: data
      emptyDir: {}
    - name: database
      secret:
        secretName: {{ .Values.database.existingSecret }}
        items: [{ key: {{ .Values.database.urlKey | quote }}, path: url }{{ with .Values.database.readUrlKey }}, { key: {{ . | quote }}, path: read-url }{{ end }}]
    {{- else }}
    {{- with .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
    {{- if and .Values.backups.enabled .Values.backups.existingClaim }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ .Values.backups.existingClaim }}
    {{- end }}
    {{- end }}
    {{- with .Values.secretKey }}
    {{- if .existingSecret }}
    - name: key
      secret:
        secretName: {{ .existingSecret }}
        items: [{ key: {{ .key | quote }}, path: key }]
    {{- end }}
    {{- end }}
    {{- with .Values.ownerKey }}
    {{- if .existingSecret }}
    - name: owner
      secret:
        secretName: {{ .existingSecret }}
        items: [{ key: {{ .key | quote }}, path: key }]
    {{- end }}
    {{- end }}
    {{- range $index, $secret := .Values.secretFiles }}
    - name: files-{{ $index }}
      secret:
        secretName: {{ $secret }}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
