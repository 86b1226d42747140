{{- /* The name of the objects in Kubernetes. The Job of the migration and the Service of the metrics add a suffix to it. */ -}}
{{- define "store.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride -}}
{{- else if eq .Release.Name .Chart.Name -}}
{{- .Release.Name -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* These labels select pods, so they never change. */ -}}
{{- define "store.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "store.labels" -}}
{{ include "store.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "store.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "store.claim" -}}
{{- .Values.persistence.existingClaim | default (include "store.fullname" .) -}}
{{- end -}}

{{- /* The members that every pod of the chart has. */ -}}
{{- define "store.pod" -}}
# The service needs no variables of other Services, and no access to Kubernetes.
enableServiceLinks: false
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . | quote }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .Values.user }}
  runAsGroup: {{ .Values.user }}
  fsGroup: {{ .Values.user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- /* The members that every container of the chart has. */ -}}
{{- define "store.container" -}}
image: {{ include "store.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
env:
  - name: HOST
    value: {{ .Values.host | quote }}
  - name: PORT
    value: {{ .Values.port | quote }}
  {{- if .Values.metrics.enabled }}
  - name: STORE_METRICS_PORT
    value: {{ .Values.metrics.port | quote }}
  {{- end }}
  {{- if eq .Values.database "sqlite" }}
  - name: STORE_DATABASE_URL
    value: sqlite:/data/store.sqlite
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- range $name, $secret := .Values.secretSettings }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $secret.name | quote }}
        key: {{ $secret.key | quote }}
  {{- end }}
{{- end -}}
